import type { HealthCheck, Mail } from '@latchkey/contracts';

/** A mail as it is handed to the transport. */
export interface OutgoingMail {
  /** With angle brackets; the same whatever is retried (F5), so that a receiver can tell a second copy. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Language tag of the text. */
  readonly language: string;
}

/** How one attempt ended. `code`: the server's reply code or the network error's name. `misconfigured`: the fault is ours and meets every mail. */
export interface Delivery {
  readonly outcome: Mail['attempts'][number]['outcome'];
  readonly code: string | null;
  readonly response: string;
  readonly misconfigured?: boolean;
}

/** Carries mails to where they are delivered from. */
export interface MailTransport {
  /** Resolves with the outcome within the transport's own limit; rejects never because of the network or the server. Aborting `signal` ends it early. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
  /** What is known of the server; never waits for it. */
  check(): Promise<HealthCheck>;
  close(): Promise<void>;
}
