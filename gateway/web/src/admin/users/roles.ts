import type { Role } from '@latchkey/contracts';

/** Roles, as a person reads them. */
export const roles: Record<Role, string> = { member: 'Member', admin: 'Administrator' };

export function toRole(value: string | undefined): Role {
  return value === 'admin' ? 'admin' : 'member';
}
