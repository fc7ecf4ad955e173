import { prepareDatabase } from './prepare-database.js';

const users = [
  { user: 'auth', password: 'a', database: 'latchkey_auth', writes: ['latchkey_auth'] },
  { user: 'user', password: 'b', database: 'latchkey_user', writes: ['latchkey_user'] },
];
const failure = (code: number) => Object.assign(new Error('refused'), { code });

/** Answers as MongoDB does; `code` by command makes it refuse that one. */
function server(refusals: Record<string, number>, hellos: boolean[] = [true]) {
  const told: string[] = [];
  return {
    told,
    async run(database: string, command: Record<string, unknown>) {
      const name = Object.keys(command)[0] as string;
      told.push(`${database} ${name} ${typeof command[name] === 'string' ? command[name] : ''}`.trim());
      const code = refusals[name];
      if (code !== undefined) throw failure(code);
      return name === 'hello' ? { isWritablePrimary: hellos.length > 1 ? hellos.shift() : hellos[0] } : {};
    },
  };
}
const prepare = (run: ReturnType<typeof server>['run']) =>
  prepareDatabase({ run, host: 'mongo:27017', users, pause: async () => undefined });

test('a fresh server becomes a replica set and gets its users once it takes writes', async () => {
  const { told, run } = server({ replSetGetStatus: 94 }, [false, false, true]);
  await prepare(run);
  expect(told).toEqual([
    'admin replSetGetStatus',
    'admin replSetInitiate',
    ...['admin hello', 'admin hello', 'admin hello'],
    'latchkey_auth createUser auth',
    'latchkey_user createUser user',
  ]);
});

test('what is there already stays; passwords are set', async () => {
  const { told, run } = server({ createUser: 51003 });
  await prepare(run);
  expect(told).not.toContain('admin replSetInitiate');
  expect(told).toContain('latchkey_auth updateUser auth');
});

test('other refusals, and a set that never gets a primary, are errors', async () => {
  await expect(prepare(server({ replSetGetStatus: 13 }).run)).rejects.toThrow('refused');
  await expect(prepare(server({ createUser: 13 }).run)).rejects.toThrow('refused');
  await expect(prepare(server({}, [false]).run)).rejects.toThrow('no primary');
});
