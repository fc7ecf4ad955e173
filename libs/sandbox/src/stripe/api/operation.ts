import type { Form } from '../form-body.js';

/** One call of the API. `form`: the body of a POST, else the query. `id`: the path's last parameter. `base`: where the simulator is mounted. */
export interface ApiCall {
  readonly form: Form;
  readonly id: string;
  readonly base: string;
}

/** A row of the API: it answers with an object, or throws `ApiError`. Runs inside of one change of the store. */
export type Operation = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, run: (call: ApiCall) => object];
