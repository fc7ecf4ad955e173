import type { Dependencies } from '../dependencies.js';
import type { Credentials } from '../domain/credentials.js';

/** Removes the documents of sessions that the raised generation has ended already. Only tidying: what is left runs out by itself. */
export async function removeEndedSessions(deps: Dependencies, userId: number, credentials: Credentials): Promise<void> {
  const { sessionGeneration, keptSession } = credentials;
  try {
    await deps.models.sessions.deleteMany({
      userId,
      generation: { $lt: sessionGeneration },
      _id: { $ne: keptSession },
    });
  } catch (error) {
    deps.logger.warn({ err: error, user_id: userId }, 'ended sessions could not be removed');
  }
}
