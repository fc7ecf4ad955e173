import type { MailTransport } from '@latchkey/mailer';

/** A transport made at its first use: where the built-in mailbox listens is only known once it runs. */
export function deferredTransport(make: () => MailTransport): MailTransport {
  let made: MailTransport | undefined;
  const transport = () => {
    made ??= make();
    return made;
  };
  return {
    send: (mail, signal) => transport().send(mail, signal),
    check: () => transport().check(),
    close: async () => made?.close(),
  };
}
