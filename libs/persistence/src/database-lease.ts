/**
 * The part of a filter that says "nobody holds the lease", by the database's own clock, so that the clocks of two processes never compare
 * (O3, F23). Take it with `$currentDate` on the same field.
 */
export function leaseIsFree(field: string, leaseMs: number): Record<string, unknown> {
  return { $or: [{ [field]: null }, { $expr: { $lte: [`$${field}`, { $subtract: ['$$NOW', leaseMs] }] } }] };
}
