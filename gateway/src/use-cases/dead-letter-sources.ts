import type { deadLetterApi } from '@latchkey/contracts';
import { type ClientOf, Problem } from '@latchkey/kit';

/** Who keeps dead letters, by the name that its queues begin with. */
export type DeadLetterSources = Readonly<Record<string, ClientOf<typeof deadLetterApi>>>;

/** A dead letter's id begins with its queue, whose name begins with its consumer: `<consumer>.<use-case>:<event id>`. Throws `not-found`. */
export function keeperOf(sources: DeadLetterSources, id: string): ClientOf<typeof deadLetterApi> {
  const name = id.split('.', 1)[0] as string;
  const keeper = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (keeper === undefined) throw new Problem('not-found');
  return keeper;
}
