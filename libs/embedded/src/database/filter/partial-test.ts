import type { IndexDefinition } from '../index/index-definition.js';
import { type DocumentTest, documentTest } from './document-test.js';

const tests = new WeakMap<IndexDefinition, DocumentTest>();

/** Whether a document belongs into the index. Compiled once: every write of a document asks. */
export function partialTest(definition: IndexDefinition, now: () => Date): DocumentTest {
  let test = tests.get(definition);
  if (test === undefined) {
    test = documentTest(definition.partialFilter ?? {}, now);
    tests.set(definition, test);
  }
  return test;
}
