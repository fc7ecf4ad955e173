import { isDuplicateKey } from './duplicate-key.js';

/** Runs an upsert by a unique key. Of two first uses at once one inserts and the other is refused as a duplicate: tried again, it finds the document there. */
export async function retryUpsert<T>(upsert: () => PromiseLike<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return await upsert();
  }
}
