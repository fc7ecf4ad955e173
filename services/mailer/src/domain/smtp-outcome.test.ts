import { classifyFailure, presentable, type SmtpFailure } from './smtp-outcome.js';

const failure = (fields: Partial<SmtpFailure>): SmtpFailure => ({ message: 'failed', ...fields });
const reply = (responseCode: number, command: string) =>
  failure({ responseCode, command, response: `${responseCode} said so`, code: 'EENVELOPE' });

describe('F19 F21 temporary', () => {
  test.each([
    ['greylisting', reply(451, 'RCPT TO')],
    ['mailbox busy', reply(450, 'RCPT TO')],
    ['server shutting down', reply(421, 'DATA')],
    ['4xx after the content', reply(452, 'DATA')],
    ['bad sequence', reply(503, 'RCPT TO')],
    ['refused connection', failure({ code: 'ESOCKET', command: 'CONN', originalCode: 'ECONNREFUSED' })],
    ['timeout', failure({ code: 'ETIMEDOUT', command: 'CONN' })],
    ['unknown host', failure({ code: 'EDNS', command: 'CONN' })],
    ['connection lost', failure({ code: 'ECONNECTION', command: 'CONN' })],
  ])('%s', (_name, error) => {
    expect(classifyFailure(error)).toMatchObject({ outcome: 'temporary-failure', misconfigured: false });
  });
});

describe('a refusal that meets every mail is temporary for each, and loud', () => {
  test.each([
    ['credentials refused', failure({ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN', response: '535 no' })],
    ['credentials missing', failure({ code: 'EAUTH', command: 'API' })],
    ['authentication needed', reply(530, 'MAIL FROM')],
    ['authentication needed, said late', reply(530, 'RCPT TO')],
    ['554 instead of a banner', reply(554, 'CONN')],
    ['EHLO refused', reply(550, 'EHLO')],
    ['sender refused', reply(550, 'MAIL FROM')],
  ])('%s', (_name, error) => {
    expect(classifyFailure(error)).toMatchObject({ outcome: 'temporary-failure', misconfigured: true });
  });
});

describe('F20 permanent', () => {
  test.each([
    ['no such user', reply(550, 'RCPT TO')],
    ['bad address', reply(553, 'RCPT TO')],
    ['mailbox full for good', reply(552, 'RCPT TO')],
    ['content refused', reply(554, 'DATA')],
    ['too large', reply(552, 'MAIL FROM')],
    ['an address no server is asked about', failure({ code: 'EENVELOPE', command: 'API' })],
  ])('%s', (_name, error) => {
    expect(classifyFailure(error)).toMatchObject({ outcome: 'permanent-failure', misconfigured: false });
  });
});

test('the code is the reply code, else what the system called it', () => {
  expect(classifyFailure(reply(451, 'RCPT TO')).code).toBe('451');
  expect(classifyFailure(failure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' })).code).toBe('ECONNREFUSED');
});

test('S48 a reply that quotes the mail does not bring its token into the log, nor a line of its own', () => {
  const shown = presentable(`550 refused: http://x.test/?reset_token=${'ab'.repeat(32)}\r\nforged: line`);
  expect(shown).toBe('550 refused: http://x.test/?reset_token=[…] forged: line');
  expect(presentable('x'.repeat(10_000))).toHaveLength(300);
});
