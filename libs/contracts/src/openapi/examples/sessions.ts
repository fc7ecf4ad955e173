import type * as sessions from '../../public/sessions.js';
import type { ExamplesOf } from '../operation-example.js';
import { ada, adasSession, password } from './values.js';

export const sessionExamples: ExamplesOf<typeof sessions> = {
  logIn: { body: { email: ada.email, password }, answer: { user: ada } },
  logOut: { answer: { message: 'You are logged out.' } },
  showSession: { answer: { user: ada, session: adasSession } },
  endSession: { answer: { message: 'The session has ended.' } },
  listSessions: { answer: { sessions: [adasSession] } },
  endOneSession: { params: { id: adasSession.id }, answer: { message: 'The session has ended.' } },
  showKeys: {
    answer: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          kid: 'hUXPDfqJ2V0',
          x: 'gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0',
          y: 'SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps',
        },
      ],
    },
  },
};
