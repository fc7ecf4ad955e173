import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of the API as it came. */
export interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly body: URLSearchParams;
  readonly idempotencyKey: string | undefined;
}

/** What happens to a call. `close-before`: the connection ends, nothing was done; `close-after`: it was done, the answer is lost; `dribble`: bytes for ever. */
export type Fate = 'pass' | 'hang' | 'close-before' | 'close-after' | 'dribble' | { status: number; body?: string };

export interface ScriptedStripe {
  readonly url: string;
  readonly calls: StripeCall[];
  script: (call: StripeCall) => Fate;
  close(): Promise<void>;
}

/** Stands between the SDK and the simulator, and does to each call what its script says. */
export async function scriptedStripe(target: () => string): Promise<ScriptedStripe> {
  const calls: StripeCall[] = [];
  const server = createServer((request, response) => {
    // A target that has gone is a lost connection for the caller, too.
    serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? '';
    const key = request.headers['idempotency-key'];
    const call = {
      method: request.method ?? '',
      path,
      body: new URLSearchParams(text),
      idempotencyKey: typeof key === 'string' ? key : undefined,
    };
    calls.push(call);
    const fate = fake.script(call);
    if (fate === 'hang') return;
    if (fate === 'close-before') return void request.socket.destroy();
    if (fate === 'dribble') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { 'content-type': 'application/json' });
      return void response.end(fate.body ?? '{"error":{"type":"api_error","message":"scripted"}}');
    }
    const answer = await fetch(`${target()}${path}`, {
      method: call.method,
      headers: pick(request.headers, ['authorization', 'content-type', 'idempotency-key', 'stripe-version']),
      ...(text !== '' && { body: text }),
    });
    const body = await answer.text();
    if (fate === 'close-after') return void request.socket.destroy();
    const replayed = answer.headers.get('idempotent-replayed');
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(replayed && { 'idempotent-replayed': replayed }),
    });
    response.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: ScriptedStripe = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    script: () => 'pass',
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function pick(headers: IncomingMessage['headers'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
