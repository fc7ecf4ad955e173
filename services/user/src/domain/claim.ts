import { randomUUID } from 'node:crypto';

/** How long a creation may take before another request or the sweep may take it over; longer than any call's deadline. */
const CLAIM_SECONDS = 30;

/** Who is creating a pending user, and until when nobody else may. `until` and what it is compared with are the database's clock. */
export interface Claim {
  readonly id: string;
  readonly until: Date;
}

export function newClaim(databaseTime: Date): Claim {
  return { id: randomUUID(), until: new Date(databaseTime.getTime() + CLAIM_SECONDS * 1000) };
}

/** The part of a filter that says that the claim has not run out, by the database's clock. */
export const claimInForce = { $expr: { $gt: ['$claim.until', '$$NOW'] } };

export function hasExpired(claim: Claim | undefined, databaseTime: Date): boolean {
  return claim === undefined || claim.until.getTime() <= databaseTime.getTime();
}
