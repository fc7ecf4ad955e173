import { z } from 'zod';
import type { Endpoint } from './endpoint.js';
import { type ErrorCode, errorCodes, problemDocument } from './errors.js';

type Json = Record<string, unknown>;

/** What the document says of the installation. `cookieName`: of the session cookie. */
export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly cookieName: string;
}

/** The OpenAPI 3.1 document of an interface, from the same definitions that validate it. Keys of `api` become operation ids. */
export function openApiDocument(api: Record<string, Endpoint>, options: OpenApiOptions): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(api)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    paths[path] = operations;
    operations[endpoint.method.toLowerCase()] = operation(operationId, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    servers: [{ url: options.serverUrl }],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemDocument, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: options.cookieName } },
    },
  };
}

function operation(operationId: string, endpoint: Endpoint): Json {
  const { summary, description, tag, access, body, rawBody, success } = endpoint;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: access === 'public' ? [] : [{ session: [] }],
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    ...(rawBody && { requestBody: { required: true, content: { '*/*': {} } } }),
    responses: {
      ...refusals(endpoint),
      [success.status]: {
        description: success.description,
        content: { 'application/json': { schema: schemaOf(success.body, 'output') } },
      },
    },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

/** Its own refusals and those that every request can meet, by status. */
function refusals(endpoint: Endpoint): Record<string, Json> {
  const codes = new Set<ErrorCode>([...endpoint.refusals, 'rate-limited', 'internal-error']);
  if (endpoint.access !== 'public') codes.add('session-required');
  if (endpoint.access === 'admin') codes.add('forbidden');
  if (endpoint.method !== 'GET' && !endpoint.rawBody) codes.add('cross-site-request');
  if (endpoint.body || endpoint.rawBody) codes.add('body-too-large');
  if (endpoint.body) for (const code of ['malformed-json', 'unsupported-media-type'] as const) codes.add(code);
  const byStatus: Record<string, Json> = {};
  for (const status of new Set([...codes].map((code) => errorCodes[code].status))) {
    const named = [...codes].filter((code) => errorCodes[code].status === status);
    byStatus[status] = {
      description: named.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  return byStatus;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
