import { hostname, userInfo } from 'node:os';

/** Who runs the command, for the audit log: `ada@host`. Some containers run under a number that has no name. */
export function operatorName(): string {
  return `${userName()}@${hostname()}`.slice(0, 256);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
