/** Keeps the list of mails up to date without a reload, and empties it. Served as a file: the page allows no inline script. */
export const liveScript = `'use strict';
const live = document.querySelector('[data-live]');

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = fresh.querySelector('[data-live]');
  if (!next || next.innerHTML === live.innerHTML) return;
  live.innerHTML = next.innerHTML;
  document.title = fresh.title;
}

async function emptyMailbox(address) {
  if (!confirm('Delete all mails?')) return;
  await fetch(address, { method: 'DELETE' });
  await refresh();
}

if (live) {
  setInterval(() => refresh().catch(() => undefined), 2000);
  document.addEventListener('visibilitychange', () => refresh().catch(() => undefined));
  live.addEventListener('click', (event) => {
    const address = event.target.dataset && event.target.dataset.clear;
    if (address) emptyMailbox(address).catch(() => undefined);
  });
}
`;
