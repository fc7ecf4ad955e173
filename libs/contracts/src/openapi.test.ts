import { openApiDocument } from './openapi.js';
import { publicApi } from './public/index.js';

const document = JSON.parse(
  JSON.stringify(
    openApiDocument(publicApi, {
      title: 'Latchkey',
      version: '1',
      serverUrl: 'https://id.example.com',
      cookieName: 'access_token',
    }),
  ),
);

test('every public operation is described, once', () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(Object.keys(publicApi).sort());
});

test('parameters are those of the path and the query, as text on the wire', () => {
  const { parameters } = document.paths['/user/{id}'].get;
  expect(parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: expect.objectContaining({ type: 'string' }) },
    { name: 'deleted', in: 'query', required: false, schema: expect.objectContaining({ enum: ['true', 'false'] }) },
  ]);
  for (const [path, operations] of Object.entries<Record<string, { parameters: { in: string; name: string }[] }>>(
    document.paths,
  )) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(operations)) {
      expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
    }
  }
});

test('a protected operation asks for the cookie, an open one for nothing, and refusals are problem documents', () => {
  expect(document.paths['/user'].post.security).toEqual([{ session: [] }]);
  expect(document.paths['/login'].post.security).toEqual([]);
  const { responses, requestBody } = document.paths['/user'].post;
  expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '409', '413', '415', '429', '500', '503']);
  expect(responses['409'].description).toMatch(/email-taken/);
  expect(responses['409'].content['application/problem+json'].schema.$ref).toBe('#/components/schemas/Problem');
  expect(requestBody.content['application/json'].schema).toMatchObject({
    required: ['email', 'first_name', 'last_name'],
    additionalProperties: false,
  });
  expect(document.paths['/logout'].get.responses['401'].content).toHaveProperty(['application/json']);
});
