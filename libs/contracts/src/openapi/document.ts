import type { z } from 'zod';
import type { Endpoint } from '../endpoint.js';
import { type Json, namedSchemas, schemaOf } from './json-schema.js';
import type { OperationExample } from './operation-example.js';
import { responses } from './responses.js';

/** What the document says of the installation. `cookieName`: of the session cookie. */
export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly cookieName: string;
}

const introduction = `Accounts, sessions and a checkout. The same definitions validate every request and every answer.

- **Session**: \`POST /login\` sets a cookie; send it along. Pages of other sites may not write, unless their origin is allowed.
- **Refusals** are \`application/problem+json\` (RFC 9457). Rely on \`code\`, from a [closed list](/errors), and on the status; \`detail\` is for people.
- **Order of refusals**: path and method (404, 405), size (413), content type (415), cross-site write (403), session (401), rights (403), then the request’s parts (400). Unknown fields are refused.
- **Every answer** carries \`X-Request-Id\`; propose one of your own with the same header. Mails, events and dead letters keep the id of the request that led to them.
- **Lists** end with \`next\`: pass it as \`after\` to get the next page; null on the last.`;

const tags = [
  { name: 'sessions', description: 'Log in, log out, and where a user is logged in.' },
  { name: 'passwords', description: 'Reset a forgotten password by mail.' },
  { name: 'users', description: 'Admins manage every user; members read and edit themselves.' },
  { name: 'payments', description: 'What is for sale, checkouts, and the payment provider’s webhook.' },
  { name: 'admin', description: 'Mails, events and dead letters: look, and do again. Admins only.' },
  { name: 'operations', description: 'Health, and this document.' },
];

/** The OpenAPI 3.1 document of an interface, from the same definitions that validate it. Keys of `api` become operation ids. */
export function openApiDocument(
  api: Record<string, Endpoint>,
  examples: Readonly<Record<string, OperationExample>>,
  options: OpenApiOptions,
): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(api)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    paths[path] = operations;
    operations[endpoint.method.toLowerCase()] = operation(operationId, endpoint, examples[operationId]);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      summary: 'Accounts, sessions and a checkout',
      description: introduction,
    },
    servers: [{ url: options.serverUrl }],
    tags,
    paths,
    components: {
      schemas: namedSchemas(),
      headers: {
        RequestId: {
          description: 'Names this request in logs, mails and events',
          required: true,
          schema: { type: 'string', pattern: '^[\\w-]{8,64}$' },
        },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: options.cookieName,
          description: 'The session, set by `POST /login`. A browser sends it by itself.',
        },
      },
    },
  };
}

function operation(operationId: string, endpoint: Endpoint, example: OperationExample | undefined): Json {
  const { summary, description, tag, access, body, rawBody } = endpoint;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: access === 'public' ? [] : [{ session: [] }],
    parameters: [
      ...parameters('path', endpoint.params, example?.params),
      ...parameters('query', endpoint.query, example?.query),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'input'), example: example?.body } },
      },
    }),
    ...(rawBody && { requestBody: { required: true, content: { '*/*': {} } } }),
    responses: responses(endpoint, example),
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined, example: unknown): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const values = (example ?? {}) as Record<string, unknown>;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(values[name] !== undefined && { example: values[name] }),
  }));
}
