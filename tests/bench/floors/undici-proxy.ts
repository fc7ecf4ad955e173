// A reverse proxy and nothing else: what it is asked it asks its target, over kept-alive connections.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { answerParent } from '../answer-parent.js';

answerParent({
  listen: ({ target }: { target: string }) => {
    const pool = new Pool(target, { connections: 64 });
    const server = createServer(async (request, response) => {
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const answer = await pool.request({
        method: request.method as 'GET',
        path: request.url as string,
        headers: headers as Record<string, string>,
      });
      const { connection: _hop, 'keep-alive': _keep, ...passed } = answer.headers;
      response.writeHead(answer.statusCode, passed as Record<string, string>);
      answer.body.pipe(response);
    });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  },
});
