/** A refusal in Stripe's shape: `{ error: { type, code?, message, param? } }`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: {
      readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error';
      readonly message: string;
      readonly code?: string;
      readonly param?: string;
    },
  ) {
    super(error.message);
  }
}

export function missing(what: string, id: string, param = 'id', status = 404): ApiError {
  const message = `No such ${what}: '${id}'`;
  return new ApiError(status, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

export function invalid(param: string, message: string, code?: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, param, ...(code !== undefined && { code }) });
}
