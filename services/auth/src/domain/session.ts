import type { Role, Session as SessionAnswer } from '@latchkey/contracts';
import type { Credentials } from './credentials.js';

/** A session. `_id`: 128 random bits, hexadecimal (ASVS 7.2.3). */
export interface Session {
  readonly _id: string;
  readonly userId: number;
  /** The role it began with; a change of role ends it. */
  readonly role: Role;
  readonly generation: number;
  readonly createdAt: Date;
  readonly lastSeen: Date;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** How often a session's use is written down at most, in seconds. */
export const seenEvery = 60;

/** Does the session stand: neither ended nor expired (S42, absolute) nor idle, its user's credentials neither disabled nor erased (S37, S38)? */
export function stands(session: Session, credentials: Credentials | null, idleTtl: number, now: number): boolean {
  if (!credentials || credentials.state === 'disabled') return false;
  if (now >= session.expiresAt.getTime()) return false;
  if (now - session.lastSeen.getTime() >= idleTtl * 1000) return false;
  return session.generation === credentials.sessionGeneration || session._id === credentials.keptSession;
}

export function sessionAnswer(session: Session, currentId: string | null): SessionAnswer {
  return {
    id: session._id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeen.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    address: session.address,
    user_agent: session.userAgent,
    current: session._id === currentId,
  };
}
