import { ObjectId } from 'bson';
import { isOperatorObject, type StoredDocument } from '../storage/value-types.js';
import { applyUpdate, type Update } from './apply-update.js';
import type { Positions } from './positions.js';
import { locate, write } from './target.js';

/** The document an upsert inserts: the filter's equalities, then the update; `_id` first, made when none is given. */
export function upsertDocument(filter: StoredDocument, update: Update, positions: Positions): StoredDocument {
  const document: StoredDocument = {};
  takeEqualities(document, filter);
  applyUpdate(document, update, positions, { now: positions.now, inserting: true });
  return withId(document);
}

/** Puts `_id` first; makes one where it is missing. */
export function withId(document: StoredDocument): StoredDocument {
  const { _id = new ObjectId(), ...fields } = document;
  return { _id, ...fields };
}

function takeEqualities(document: StoredDocument, filter: StoredDocument): void {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) {
      for (const part of condition) takeEqualities(document, part as StoredDocument);
    } else if (!path.startsWith('$') && !(condition instanceof RegExp)) {
      if (isOperatorObject(condition) && !Object.hasOwn(condition, '$eq')) continue;
      const target = locate(document, path, true);
      if (target) write(target, isOperatorObject(condition) ? condition.$eq : condition);
    }
  }
}
