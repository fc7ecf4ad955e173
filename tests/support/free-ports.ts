import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (32768 on Linux, 49152 by RFC 6335): one of those may be taken between this look and the start, or while a process is down that must
// come back at the same place. Each process looks in a part of its own, so that test files which run side by side do not find the same.
const lowest = 10_000;
const partSize = 400;
const parts = 50;
const part = lowest + (process.pid % parts) * partSize;
let next = Math.floor(Math.random() * partSize);

/** Ports that are free on loopback now. A process that must be found again after a restart needs fixed ones. Throws when there are not so many. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count; tries += 1) {
    if (tries === partSize) throw new Error(`There are no ${count} free ports from ${part} on`);
    const port = part + (next % partSize);
    next += 1;
    if (await isFree(port)) found.push(port);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
