// The least that a durable mail costs: so many writes to the disk for each, and nodemailer over kept connections.
import Database from 'libsql';
import { createTransport } from 'nodemailer';
import { answerParent } from '../answer-parent.js';

/** As many as our mailer has. */
const connections = 5;

let transporter: ReturnType<typeof openTransport> | undefined;
let write: ((value: string) => unknown) | undefined;

const openTransport = (url: string) => createTransport({ url, pool: true, maxConnections: connections });

answerParent({
  open({ smtpUrl, file }: { smtpUrl: string; file: string }) {
    transporter = openTransport(smtpUrl);
    const database = new Database(file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('CREATE TABLE writes (id INTEGER PRIMARY KEY, value TEXT)');
    const statement = database.prepare('INSERT INTO writes (value) VALUES (?)');
    write = (value) => statement.run(value);
  },
  async send({ count, writes }: { count: number; writes: number }) {
    let next = 0;
    const sender = async () => {
      while (next < count) {
        const to = `floor${next++}@example.net`;
        for (let at = 0; at < writes; at += 1) write?.(to);
        await transporter?.sendMail({ from: 'a@example.net', to, subject: 'Reset', text: 'x'.repeat(1500) });
      }
    };
    await Promise.all(Array.from({ length: connections }, sender));
  },
});
