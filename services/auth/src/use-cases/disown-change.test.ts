import { passwordChanged, type User } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

const day = 24 * 60 * 60;
const dead = { code: 'link-invalid' };
const stored = (user: User) => system.models.credentials.findOne({ _id: user.id }).lean();

/** An admin sets the password; gives the secret of the notice. */
async function changed(user: User): Promise<string> {
  const own = () => system.queue.payloads(passwordChanged).filter(({ userId }) => userId === user.id);
  const before = own().length;
  const body = { mode: 'change', password: `a fresh staple ${before}`, context: [], email: user.email, name: 'Grace' };
  await system.auth.setPassword({ params: { user_id: String(user.id) }, body: body as never }, system.admin());
  const { sealedDisownToken } = await eventually('the notice', () => own()[before]);
  return system.sealer.unseal(sealedDisownToken as string, 'disown-token');
}
const disown = (user: User, disown_token: string, address?: string) =>
  system.auth.disownReset({ body: { disown_token, user_id: user.id } }, system.context({}, address));

test('disowning a change ends every session, once, and leaves the password', async () => {
  const user = await system.givenUser();
  const secret = await changed(user);
  const { session } = await system.logIn(user, 'a fresh staple 0');
  const introspect = () =>
    system.auth.introspectSession({ body: { session_id: session.id, user_id: user.id } }, system.context());
  expect(await introspect()).toMatchObject({ active: true });
  expect(await disown(user, secret)).toEqual({ message: expect.stringContaining('session was ended') });
  expect(await introspect()).toEqual({ active: false });
  expect(await refusal(disown(user, secret))).toMatchObject(dead);
  await system.logIn(user, 'a fresh staple 0');
});

test('the secret of one user’s notice does nothing for another, and is kept as a hash alone', async () => {
  const [user, other] = [await system.givenUser(), await system.givenUser()];
  const secret = await changed(user);
  expect(await refusal(disown(other, secret))).toMatchObject(dead);
  expect(JSON.stringify(await stored(user))).not.toContain(secret);
});

test('it can be disowned for seven days, then the sweep tidies up', async () => {
  const [late, just] = [await system.givenUser(), await system.givenUser()];
  const secrets = [await changed(late), await changed(just)] as const;
  system.clock.advance(7 * day - 1);
  await disown(just, secrets[1]);
  system.clock.advance(1);
  expect(await refusal(disown(late, secrets[0]))).toMatchObject(dead);
  await system.sweep();
  expect(await stored(late)).toMatchObject({ disownableChanges: [], dueAt: null });
});

test('an earlier notice still works after another change; the sixth change kills the first one’s', async () => {
  const user = await system.givenUser();
  const secrets: string[] = [];
  for (let n = 0; n < 6; n++) secrets.push(await changed(user));
  expect(await refusal(disown(user, secrets[0] as string))).toMatchObject(dead);
  await disown(user, secrets[1] as string);
  await disown(user, secrets[5] as string);
});

test('S54 wrong secrets are counted', async () => {
  const user = await system.givenUser();
  const guess = () => refusal(disown(user, 'ab'.repeat(32), '203.0.113.8'));
  for (let n = 0; n < 50; n++) expect(await guess()).toMatchObject(dead);
  expect(await guess()).toMatchObject({ code: 'rate-limited' });
});
