// An SMTP server that takes every mail and counts.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { answerParent } from '../answer-parent.js';

let accepted = 0;
let wanted: { count: number; done: (at: number) => void } | undefined;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    stream.resume().once('end', () => {
      callback();
      accepted += 1;
      if (wanted !== undefined && accepted >= wanted.count) wanted.done(Date.now());
    });
  },
});
server.on('error', () => undefined);

answerParent({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`));
    }),
  /** When the last of so many further mails came (milliseconds since 1970). */
  lastOf: (count: number) =>
    new Promise((resolve) => {
      accepted = 0;
      wanted = { count, done: resolve };
    }),
});
