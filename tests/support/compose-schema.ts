import { DCLinter } from 'dclint';

/** What the linter says of one place in a file. Its own types cannot be resolved by a compiler that follows Node's rules. */
interface Message {
  readonly rule: string;
  readonly message: string;
  readonly line: number;
}

/** Where a compose file is not what the compose specification allows; the linter's other rules are about style. */
export function schemaFaults(file: string): readonly Message[] {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  const results: readonly { readonly messages: readonly Message[] }[] = linter.lintFiles([file], false);
  return results.flatMap(({ messages }) => messages).filter(({ rule }) => rule === 'invalid-schema');
}
