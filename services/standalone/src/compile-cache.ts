import * as nodeModule from 'node:module';
import { resolve } from 'node:path';

/** Node has it since 22.1; its types here are those of the oldest Node that we run on. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (directory: string) => unknown };

/**
 * Keeps what V8 compiled for the next start, beside what the compiler made and not in a folder for temporary files, where somebody else could put code.
 * Where nothing can be written there (a container), node goes on without. The first import of an entry: it is for all that is loaded after it.
 */
enableCompileCache?.(resolve(__dirname, '../../../.build/compile-cache'));
