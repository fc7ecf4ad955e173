import { bindings, emailChangeRequested } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeAll(async () => {
  system = await startUserService();
  await makeUser(system, { role: 'admin' });
});
afterAll(() => system.stop());

let counter = 0;

/** A user who waits for the confirmation of a new email, and the token that was mailed. */
async function movingUser() {
  const { id } = await makeUser(system);
  const email = `moving${++counter}@example.org`;
  const body = { email, current_password: 'correct horse' };
  await system.users.updateUser({ params: { id: String(id) }, body }, system.as(id));
  const mail = await eventually('the mail', () =>
    system.queue.payloads(emailChangeRequested).find(({ to }) => to === email),
  );
  return { id, email, token: system.sealer.unseal(mail.sealedToken, 'email-confirmation') };
}

/** Auth tells that the user's password changed, by another request unless `correlationId` says otherwise. */
function passwordChanged(userId: number, changedAt = system.clock.now(), correlationId = 'another-request') {
  const payload = { userId, to: 'x@example.org', name: 'Pat', languages: null, changedFrom: null };
  const told = { ...payload, changedAt: new Date(changedAt).toISOString() };
  return system.queue.deliver(bindings.dropEmailChange, told, { correlationId });
}
const confirm = (user_id: number, confirm_token: string) =>
  system.users.confirmEmail({ body: { user_id, confirm_token } }, system.nobody());
const done = { kind: 'done' };

test('S70 a new password takes back a change of email that was asked for under the old one', async () => {
  const { id, token } = await movingUser();
  expect(await passwordChanged(id)).toEqual(done);
  expect(await refusal(confirm(id, token))).toMatchObject({ code: 'link-invalid' });
  expect(await passwordChanged(id)).toEqual(done);
});

test('also when the clocks of the services differ a little', async () => {
  const { id, token } = await movingUser();
  await passwordChanged(id, system.clock.now() - 59_000);
  expect(await refusal(confirm(id, token))).toMatchObject({ code: 'link-invalid' });
});

test('one that was asked for later stays, and so does one that came with the new password', async () => {
  const late = await movingUser();
  expect(await passwordChanged(late.id, system.clock.now() - 120_000)).toEqual(done);
  await confirm(late.id, late.token);
  const both = await movingUser();
  expect(await passwordChanged(both.id, system.clock.now(), `request-${both.id}`)).toEqual(done);
  await confirm(both.id, both.token);
});

test('nothing waits, nobody is there: nothing happens', async () => {
  const { id } = await makeUser(system);
  const before = await eventually('what came with the user is published', async () => {
    const user = await system.models.users.findById(id).lean();
    return user?.outboxPending ? null : user;
  });
  expect(await passwordChanged(id)).toEqual(done);
  expect(await system.models.users.findById(id).lean()).toEqual(before);
  expect(await passwordChanged(999_999)).toEqual(done);
});
