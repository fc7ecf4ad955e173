import type { Answer, Endpoint } from '../endpoint.js';
import { errorExplanations, exampleProblem } from '../error-explanations.js';
import { type ErrorCode, errorCodes } from '../errors.js';
import { type Json, schemaOf } from './json-schema.js';
import type { OperationExample } from './operation-example.js';

/** Every answer of an operation, by status; an answer and a refusal may share one. */
export function responses(endpoint: Endpoint, example: OperationExample | undefined): Record<string, Json> {
  const found = new Map<number, Json>();
  for (const [status, codes] of byStatus(refusalsOf(endpoint))) found.set(status, refusal(status, codes));
  for (const answer of [endpoint.success, ...(endpoint.otherAnswers ?? [])]) {
    const refused = found.get(answer.status);
    const shown = success(answer, example?.others?.[answer.status] ?? example?.answer);
    found.set(answer.status, refused ? either(shown, refused) : shown);
  }
  return Object.fromEntries(
    [...found].sort(([a], [b]) => a - b).map(([status, response]) => [String(status), response]),
  );
}

/** Its own refusals and those that every request can meet. */
export function refusalsOf(endpoint: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...endpoint.refusals, 'internal-error']);
  if (endpoint.limited !== false) codes.add('rate-limited');
  if (endpoint.access !== 'public') codes.add('session-required').add('service-unavailable');
  if (endpoint.access === 'admin') codes.add('forbidden');
  // What takes no body refuses one all the same when it is too large, comes too slowly or is no JSON.
  if (endpoint.method !== 'GET') codes.add('body-too-large').add('request-timeout');
  if (endpoint.method !== 'GET' && !endpoint.rawBody) codes.add('cross-site-request').add('unsupported-media-type');
  if (endpoint.params || endpoint.query || endpoint.body) codes.add('validation-failed');
  if (endpoint.body) codes.add('malformed-json');
  return codes;
}

function byStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCodes[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

function refusal(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `[\`${code}\`](/errors/${code}): ${errorCodes[code].title}`).join('  \n'),
    headers: {
      ...everyAnswer,
      ...((status === 429 || status === 503) && {
        'Retry-After': { description: 'Seconds to wait', required: true, schema: { type: 'integer', minimum: 0 } },
      }),
      ...(status === 401 && {
        'WWW-Authenticate': { description: 'A scheme that no browser asks a password for', schema: { type: 'string' } },
      }),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: [...codes] } } },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: errorExplanations[code].meaning, value: exampleProblem(code) }]),
        ),
      },
    },
  };
}

function success({ description, body, headers = {} }: Answer, example: unknown): Json {
  return {
    description,
    headers: {
      ...everyAnswer,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
      ),
    },
    content: { 'application/json': { schema: schemaOf(body, 'output'), example } },
  };
}

const everyAnswer = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function either(one: Json, other: Json): Json {
  return {
    description: `${one.description}  \n${other.description}`,
    headers: {
      ...(one.headers as Json),
      // Only the refusal says when to come back.
      ...Object.fromEntries(
        Object.entries(other.headers as Json).map(([name, header]) => [name, { ...(header as Json), required: false }]),
      ),
      ...everyAnswer,
    },
    content: { ...(one.content as Json), ...(other.content as Json) },
  };
}
