import type { User, userApi } from '@latchkey/contracts';
import type { ClientOf } from '@latchkey/kit';

type Users = ClientOf<typeof userApi>;

/** The user service as auth sees it. */
export class FakeUsers {
  readonly byId = new Map<number, User>();
  #nextId = 1;

  add(overrides: Partial<User> = {}): User {
    const id = this.#nextId++;
    const at = '2030-01-01T00:00:00.000Z';
    const user: User = {
      id,
      first_name: 'Grace',
      last_name: 'Hopper',
      email: `person${id}@example.org`,
      password: null,
      password_reset_hash: null,
      payment_customer_id: null,
      role: 'member',
      deletedAt: null,
      createdAt: at,
      updatedAt: at,
      ...overrides,
    };
    this.byId.set(id, user);
    return user;
  }

  change(id: number, changes: Partial<User>): void {
    this.byId.set(id, { ...(this.byId.get(id) as User), ...changes });
  }

  readonly client = {
    findUserByEmail: async ({ body }: { body: { email: string } }) => {
      const wanted = body.email.toLowerCase();
      const found = [...this.byId.values()].find((user) => user.email.toLowerCase() === wanted && !user.deletedAt);
      return { user: found ?? null };
    },
    findUserById: async ({ params }: { params: { user_id: string } }) => ({
      user: this.byId.get(Number(params.user_id)) ?? null,
    }),
  } as Partial<Users> as Users;
}
