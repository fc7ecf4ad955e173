import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly to: string;
  readonly raw: string;
  readonly messageId: string;
}

/** `hang`: says nothing more; `drop`: cuts the connection; else the line it answers. */
type Reply = string | 'hang' | 'drop' | undefined;
type Step<A extends unknown[]> = (...args: A) => Reply | Promise<Reply>;

/** What the server says where it differs from a well-behaved one. */
export interface SmtpScript {
  banner?: Step<[]>;
  ehlo?: Step<[]>;
  auth?: Step<[]>;
  mailFrom?: Step<[string]>;
  rcptTo?: Step<[string]>;
  data?: Step<[]>;
  /** After the whole mail has come; it counts as received whatever is answered, as with a lost answer. */
  received?: Step<[ReceivedMail]>;
}

export interface ScriptedSmtp {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Connections so far, and the most there were at once. */
  readonly connections: { total: number; open: number; most: number };
  /** Changes what it says from now on. */
  script: SmtpScript;
  close(): Promise<void>;
}

/** An SMTP server for tests that says what its script says, byte for byte. */
export async function scriptedSmtp(script: SmtpScript = {}, port = 0): Promise<ScriptedSmtp> {
  const received: ReceivedMail[] = [];
  const connections = { total: 0, open: 0, most: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    connections.total += 1;
    connections.open += 1;
    connections.most = Math.max(connections.most, connections.open);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      connections.open -= 1;
    });
    void converse(socket, control, received);
  });
  const control: ScriptedSmtp = {
    script,
    received,
    connections,
    get port() {
      return (server.address() as AddressInfo).port;
    },
    get url() {
      return `smtp://127.0.0.1:${control.port}`;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return control;
}

async function converse(socket: Socket, control: ScriptedSmtp, received: ReceivedMail[]): Promise<void> {
  let recipient = '';
  const say = async (usual: string, reply: Reply | Promise<Reply>): Promise<boolean> => {
    const line = (await reply) ?? usual;
    if (line === 'drop') socket.destroy();
    else if (line !== 'hang') socket.write(`${line}\r\n`);
    return line !== 'drop' && line !== 'hang';
  };
  if (!(await say('220 scripted ESMTP', control.script.banner?.()))) return;
  const lines = readLines(socket);
  for await (const line of lines) {
    const { script } = control;
    const [verb = ''] = line.toUpperCase().split(/[ :]/);
    if (verb === 'EHLO') await say('250-scripted\r\n250 AUTH PLAIN', script.ehlo?.());
    else if (verb === 'AUTH') await say('235 welcome', script.auth?.());
    else if (verb === 'MAIL') await say('250 ok', script.mailFrom?.(address(line)));
    else if (verb === 'RCPT') {
      recipient = address(line);
      await say('250 ok', script.rcptTo?.(recipient));
    } else if (verb === 'DATA') {
      const go = await script.data?.();
      await say('354 go on', go);
      if (go !== undefined) continue;
      const raw = await readMail(lines);
      const mail = { to: recipient, raw, messageId: /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? '' };
      received.push(mail);
      await say('250 2.0.0 stored', script.received?.(mail));
    } else if (verb === 'QUIT') {
      socket.end('221 bye\r\n');
    } else await say('250 ok', undefined);
  }
}

function address(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

async function* readLines(socket: Socket): AsyncGenerator<string, void, undefined> {
  let rest = '';
  try {
    for await (const chunk of socket) {
      const lines = (rest + String(chunk)).split('\r\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    // The client broke off.
  }
}

async function readMail(lines: AsyncGenerator<string, void, undefined>): Promise<string> {
  const mail: string[] = [];
  for (;;) {
    const { value, done } = await lines.next();
    if (done || value === '.') return mail.join('\n');
    mail.push(value as string);
  }
}

/** A mail's text without its transfer encoding. */
export function decoded(raw: string): string {
  return raw.replace(/=\n/g, '').replace(/=3D/g, '=');
}
