import { passwordChanged, passwordResetRequested } from '@latchkey/contracts';
import { eventually } from '@latchkey/tests';
import { startAuth } from '../testing/start-auth.js';

/** Stops a use case where a crash would: nothing after the point happens. */
async function crashingAt(point: string) {
  let armed = true;
  const reached: string[] = [];
  const system = await startAuth({
    crashPoint: (name) => {
      reached.push(name);
      if (armed && name === point) throw new Error(`crashed at ${name}`);
    },
  });
  return { system, reached, disarm: () => (armed = false) };
}

test.each(['reset.before-lookup', 'reset.before-write', 'reset.after-write'])(
  'S62 F2 a crash at %s leaves a reset undone or whole, never a replaced password without its mail',
  async (point) => {
    const { system, reached } = await crashingAt(point);
    try {
      const user = await system.givenUser();
      await expect(system.reset(user)).rejects.toThrow();
      expect(reached).toContain(point);
      const credentials = await system.models.credentials.findOne({ _id: user.id }).lean();
      const replaced = credentials?.temporary !== null;
      expect(replaced).toBe(point === 'reset.after-write');
      if (replaced) await eventually('the mail', () => system.queue.payloads(passwordResetRequested).length === 1);
      else await system.logIn(user, 'correct horse');
    } finally {
      await system.stop();
    }
  },
);

test.each(['change.before-token', 'change.before-hash', 'change.before-write', 'change.after-write'])(
  'F2 a crash at %s leaves the token unspent or the change whole',
  async (point) => {
    const { system, disarm } = await crashingAt(point);
    try {
      const user = await system.givenUser();
      const { session } = await system.logIn(user, 'correct horse');
      await system.reset(user);
      const mail = await eventually('the mail', () => system.queue.payloads(passwordResetRequested)[0]);
      const reset_token = system.sealer.unseal(mail.sealedToken, 'reset-token');
      const body = { user_id: user.id, reset_token, password: 'a fresh staple 42' };
      const change = () => system.auth.changePassword({ body }, system.context());
      await expect(change()).rejects.toThrow();
      disarm();
      if (point === 'change.after-write') {
        await eventually('the notice', () => system.queue.payloads(passwordChanged).length === 1);
        await expect(change()).rejects.toMatchObject({ code: 'reset-token-invalid' });
      } else await change();
      await system.logIn(user, 'a fresh staple 42');
      const introspection = { body: { session_id: session.id, user_id: user.id } };
      expect(await system.auth.introspectSession(introspection, system.context())).toEqual({ active: false });
    } finally {
      await system.stop();
    }
  },
);
