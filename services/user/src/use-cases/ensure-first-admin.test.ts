import { eventually } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeEach(async () => {
  system = await startUserService();
});
afterEach(() => system.stop());

const admin = { email: 'Root@example.org', password: 'correct horse' };
const all = () => system.models.users.find({}).lean();

test('made once, as an admin with names and a password', async () => {
  expect(await system.service.ensureFirstAdmin(admin)).toBe('created');
  expect(await system.service.ensureFirstAdmin(admin)).toBe('exists');
  expect(await all()).toMatchObject([{ email: admin.email, role: 'admin', first_name: 'First', last_name: 'Admin' }]);
  expect([...system.auth.passwords.values()]).toEqual([admin.password]);
});

test('two processes that start at once make one', async () => {
  const replica = await system.startReplica();
  const starts = [system.service, replica.service, system.service, replica.service];
  const results = await Promise.all(starts.map((service) => service.ensureFirstAdmin(admin)));
  expect(results.sort()).toEqual(['created', 'exists', 'exists', 'exists']);
  expect(await all()).toHaveLength(1);
});

test('an existing user of that email is left as it is', async () => {
  const { id } = await makeUser(system, { email: 'root@EXAMPLE.org' });
  expect(await system.service.ensureFirstAdmin(admin)).toBe('exists');
  expect(await all()).toMatchObject([{ _id: id, role: 'member' }]);
});

test('onlyIfNone: a made-up address does not come back while there is any admin', async () => {
  const wish = { ...admin, onlyIfNone: true };
  expect(await system.service.ensureFirstAdmin(wish)).toBe('created');
  const other = await makeUser(system, { role: 'admin' });
  const first = (await all()).find(({ email }) => email === admin.email);
  await system.users.deleteUser({ params: { id: String(first?._id) } }, system.as(other.id, 'admin'));
  // Whether or not the roster knows of it already.
  await system.models.rosters.deleteOne({ _id: 'admins' });
  expect(await system.service.ensureFirstAdmin(wish)).toBe('exists');
  expect(await system.service.ensureFirstAdmin(admin)).toBe('created');
});

test('the operator chooses the password: its words are not held against it', async () => {
  await system.service.ensureFirstAdmin(admin);
  const checked = system.auth.calls.find(({ method }) => method === 'checkPassword');
  expect(checked?.body.context).toEqual([]);
});

test('waits for auth to come up', async () => {
  system.auth.fail('checkPassword');
  const made = system.service.ensureFirstAdmin(admin);
  await eventually('a first try', () => system.auth.calls.length > 0);
  system.auth.heal();
  expect(await made).toBe('created');
});

test('a password that the policy refuses is told, not tried again', async () => {
  await expect(system.service.ensureFirstAdmin({ ...admin, password: 'weak' })).rejects.toMatchObject({
    code: 'validation-failed',
  });
});
