import type { Component } from '@latchkey/kit';

export interface Announcer extends Component {
  /** Takes what processes say: `{ firstAdmin: 'created' | 'exists' }` is meant for it. */
  readonly hear: (message: unknown) => void;
}

const POLL_MS = 250;

/** Tells where to go, once, as soon as the whole system is healthy and it is known whether the first admin was created. Nothing waits for it. */
export function createAnnouncer(o: { gatewayUrl: string; announce: (adminCreated: boolean) => void }): Announcer {
  let admin: 'created' | 'exists' | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function isHealthy(): Promise<boolean> {
    try {
      const answer = await fetch(`${o.gatewayUrl}/health`, { signal: AbortSignal.timeout(3_000) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  async function look(): Promise<void> {
    const complete = admin !== undefined && (await isHealthy());
    if (stopped) return;
    if (complete) o.announce(admin === 'created');
    else timer = setTimeout(look, POLL_MS);
  }

  return {
    name: 'announcer',
    hear(message) {
      const outcome = (message as { firstAdmin?: unknown } | null)?.firstAdmin;
      // A user process that is started again finds what the first one created.
      if (outcome === 'created' || outcome === 'exists') admin ??= outcome;
    },
    async start() {
      void look();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
