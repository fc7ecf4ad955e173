// The pages behind mailed links, and log in. They use the public API only and show its messages as they are.

/** Takes the mailed secret out of the address bar, so that it is in no history, screenshot or Referer; a reload still knows it. */
function takeSecrets() {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  if (location.search !== '') history.replaceState(query, '', location.pathname);
  return history.state ?? {};
}

const secrets = takeSecrets();
const userId = Number(secrets.user_id);
const alertBox = document.querySelector('[role="alert"]');
const statusBox = document.querySelector('[role="status"]');
const formOf = (action) => document.querySelector(`form[data-action="${action}"]`);

function say(box, text) {
  for (const other of [alertBox, statusBox]) other.hidden = true;
  box.textContent = text;
  box.hidden = false;
  box.focus();
}

function show(state) {
  for (const part of document.querySelectorAll('[data-when]')) part.hidden = part.dataset.when !== state;
}

async function call(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: 0, body: { detail: 'The service cannot be reached. Please try again.' } };
  }
}

/** The detail where the API has something of its own to say, else every fault, else the title. */
function refusal({ body }) {
  if (body.detail && body.detail !== body.title) return body.detail;
  const faults = (body.errors ?? []).map(({ path, message }) => `${path.replace(/^body\./, '')}: ${message}`);
  return faults.length > 0 ? faults.join('\n') : body.title;
}

const isDeadLink = ({ body }) => body.code === 'reset-token-invalid' || body.code === 'link-invalid';

function linkFormOrDead(action, secret) {
  const alive = typeof secret === 'string' && secret !== '' && Number.isSafeInteger(userId);
  if (alive) formOf(action).hidden = false;
  else show('dead');
  return alive;
}

/** A form whose mailed secret is spent by its button, and by nothing else. */
async function spend(form, path, body) {
  const answer = await call('POST', path, body);
  if (isDeadLink(answer)) {
    form.hidden = true;
    show('dead');
  } else if (!answer.ok) {
    say(alertBox, refusal(answer));
  } else {
    form.hidden = true;
    history.replaceState(null, '');
    say(statusBox, answer.body.message);
    show('done');
  }
}

const actions = {
  'log-in': async (form, fields) => {
    const answer = await call('POST', '/login', fields);
    form.elements.password.value = '';
    if (!answer.ok) return say(alertBox, refusal(answer));
    const { first_name, last_name } = answer.body.user;
    form.hidden = true;
    formOf('log-out').hidden = false;
    say(statusBox, `You are logged in as ${first_name} ${last_name}.`);
  },
  'log-out': async (form) => {
    const answer = await call('GET', '/logout');
    if (answer.status !== 401) return say(alertBox, refusal(answer));
    form.hidden = true;
    formOf('log-in').hidden = false;
    say(statusBox, answer.body.message);
  },
  'send-reset-link': async (form, fields) => {
    const answer = await call('POST', '/reset-password', fields);
    if (!answer.ok) return say(alertBox, refusal(answer));
    form.hidden = true;
    say(statusBox, answer.body.message);
  },
  'set-password': (form, { password }) =>
    spend(form, '/change-password', { reset_token: secrets.reset_token, user_id: userId, password }),
  'disown-reset': (form) => spend(form, '/reset-token/disown', { disown_token: secrets.disown_token, user_id: userId }),
  'confirm-email': (form) => spend(form, '/confirm-email', { confirm_token: secrets.confirm_token, user_id: userId }),
};

for (const form of document.forms) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    await actions[form.dataset.action](form, Object.fromEntries(new FormData(form)));
    button.disabled = false;
  });
}

if (formOf('disown-reset')) linkFormOrDead('disown-reset', secrets.disown_token);
if (formOf('confirm-email')) linkFormOrDead('confirm-email', secrets.confirm_token);
if (formOf('set-password') && linkFormOrDead('set-password', secrets.reset_token)) {
  // Told before a password is thought up; the check spends nothing.
  const answer = await call('POST', '/reset-token/check', { reset_token: secrets.reset_token, user_id: userId });
  if (answer.ok) document.querySelector('#password').focus();
  else if (isDeadLink(answer) || answer.status === 400) {
    formOf('set-password').hidden = true;
    show('dead');
  } else say(alertBox, refusal(answer));
}
