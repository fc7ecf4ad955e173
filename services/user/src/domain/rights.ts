import { type Principal, Problem } from '@latchkey/kit';

/** `roles`: admins manage everybody, members themselves. `any-session`: the contract's bare reading, any valid cookie may do all. */
export type UserAccess = 'roles' | 'any-session';

/** Who acts, as far as rights on users go. */
export interface Actor {
  readonly userId: number;
  readonly managesEveryone: boolean;
}

/** Throws `session-required` without a principal. The role comes from the verified session, never from a body. */
export function actorOf(principal: Principal | null, access: UserAccess): Actor {
  if (principal === null) throw new Problem('session-required');
  return { userId: principal.userId, managesEveryone: access === 'any-session' || principal.role === 'admin' };
}

export function requireManager(actor: Actor): void {
  if (!actor.managesEveryone) throw new Problem('forbidden');
}

/** S68: asked before the database is, so that a member cannot tell an existing id from a missing one. */
export function requireManagerOrSelf(actor: Actor, userId: number): void {
  if (actor.userId !== userId) requireManager(actor);
}

/** True when the actor must prove who it is by the current password (S13, S70): always, unless it manages somebody else. */
export function mustGivePassword(actor: Actor, userId: number): boolean {
  return actor.userId === userId || !actor.managesEveryone;
}
