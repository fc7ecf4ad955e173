// Bare express that answers what it is told to: same status, headers and body as ours.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerParent } from '../answer-parent.js';
import type { RecordedAnswer } from '../record-answer.js';

answerParent({
  listen: ({ status, headers, body }: RecordedAnswer) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.get('/{*path}', (_request, response) => {
      response.status(status).set(headers).end(body);
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  },
});
