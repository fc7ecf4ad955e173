import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ErrorCode, errorCodes, problemDocument } from '../errors.js';
import { publicApi } from '../public/index.js';
import { openApiDocument } from './document.js';
import { examples } from './examples/index.js';

const document = JSON.parse(
  JSON.stringify(
    openApiDocument(publicApi, examples, {
      title: 'Latchkey',
      version: '1',
      serverUrl: 'https://id.example.com',
      cookieName: 'access_token',
    }),
  ),
);

interface Operation {
  readonly operationId: string;
  readonly parameters: { in: string; name: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what the document holds
  readonly responses: Record<string, any>;
}
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, byMethod]) =>
  Object.values(byMethod).map((operation) => ({ path, ...operation })),
);

test('the document is valid OpenAPI 3.1 for a validator that we did not write', async () => {
  // The package is an ES module, which jest does not load.
  const validate = `
    import { Validator } from '@seriousme/openapi-schema-validator';
    const chunks = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    const result = await new Validator().validate(JSON.parse(Buffer.concat(chunks)));
    console.log(JSON.stringify(result));`;
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', validate], {
    cwd: __dirname,
  });
  running.child.stdin?.end(JSON.stringify(document));
  expect(JSON.parse((await running).stdout)).toEqual({ valid: true });
  expect(document.openapi).toBe('3.1.0');
});

test('every public operation is described, once', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(publicApi).sort());
});

test('parameters are those of the path and the query, as text on the wire', () => {
  const { parameters } = document.paths['/user/{id}'].get;
  expect(parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: expect.objectContaining({ type: 'string' }), example: '7' },
    { name: 'deleted', in: 'query', required: false, schema: expect.objectContaining({ enum: ['true', 'false'] }) },
  ]);
  for (const operation of operations) {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
  }
});

test('a protected operation asks for the cookie, an open one for nothing, and refusals are problem documents', () => {
  expect(document.paths['/user'].post.security).toEqual([{ session: [] }]);
  expect(document.paths['/login'].post.security).toEqual([]);
  const { responses, requestBody } = document.paths['/user'].post;
  expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '408', '409', '413', '415', '429', '500', '503']);
  expect(responses['409'].description).toMatch(/email-taken/);
  expect(responses['409'].content['application/problem+json'].schema).toEqual({
    $ref: '#/components/schemas/Problem',
    properties: { code: { enum: ['email-taken'] } },
  });
  expect(requestBody.content['application/json'].schema).toMatchObject({
    required: ['email', 'first_name', 'last_name'],
    additionalProperties: false,
  });
  expect(document.paths['/logout'].get.responses['401'].content).toHaveProperty(['application/json']);
});

test('a 303 names the provider’s page, a 201 the new user, a 429 and a 503 when to come back', () => {
  expect(document.paths['/checkout'].get.responses['303'].headers).toHaveProperty('Location');
  expect(document.paths['/user'].post.responses['201'].headers).toHaveProperty('Location');
  expect(document.paths['/login'].post.responses['200'].headers).toHaveProperty('Set-Cookie');
  for (const { operationId, responses } of operations) {
    for (const [status, { headers, content }] of Object.entries(responses)) {
      if (content['application/problem+json'] === undefined) continue;
      const saysWhen = headers['Retry-After'] !== undefined;
      expect([operationId, status, saysWhen]).toEqual([operationId, status, status === '429' || status === '503']);
    }
  }
});

test('health is told in its own shape, good or bad', () => {
  const { responses } = document.paths['/health'].get;
  for (const status of ['200', '503']) {
    expect(responses[status].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/SystemHealth' });
  }
  expect(responses['503'].content['application/json'].example.status).toBe('down');
  expect(responses).not.toHaveProperty('429');
});

test.each(Object.entries(publicApi))(
  'the examples of %s are what it takes and what it answers',
  (operationId, endpoint) => {
    const example = examples[operationId as keyof typeof examples] as Record<string, unknown>;
    const parts = ['params', 'query', 'body'].filter((part) => part in endpoint) as 'params'[];
    for (const part of parts)
      expect(
        (endpoint as { params?: typeof endpoint.success.body })[part]?.safeParse(example[part]).error,
      ).toBeUndefined();
    const answers = [example.answer, ...Object.values((example.others as object | undefined) ?? {})];
    for (const answer of answers) expect(endpoint.success.body.strict().parse(answer)).toEqual(answer);
  },
);

test('every refusal has an example that is a problem of its code and status', () => {
  const shown = new Set<ErrorCode>();
  for (const { responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      const problems = content['application/problem+json']?.examples ?? {};
      for (const [code, { value }] of Object.entries<{ value: unknown }>(problems)) {
        expect(problemDocument.strict().parse(value)).toMatchObject({
          code,
          status: Number(status),
          type: `/errors/${code}`,
        });
        shown.add(code as ErrorCode);
      }
    }
  }
  // Between services only, and what no described operation can answer.
  const elsewhere = ['service-token-rejected', 'method-not-allowed'];
  expect([...shown, ...elsewhere].sort()).toEqual(Object.keys(errorCodes).sort());
});
