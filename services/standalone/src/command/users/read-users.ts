import { fields } from '@latchkey/contracts';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

/** One user of a file. Without `password_hash` it can only be invited. */
export const importedUser = z.strictObject({
  email: fields.email,
  first_name: fields.personName,
  last_name: fields.personName,
  role: fields.role.default('member'),
  password_hash: fields.bcryptHash.optional(),
});
export type ImportedUser = z.output<typeof importedUser>;

export interface ReadUsers {
  readonly users: readonly { readonly line: number; readonly user: ImportedUser }[];
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

interface Row {
  readonly line: number;
  /** Or why there is none. */
  readonly value: unknown;
  readonly fault?: string;
}

/** Every user of a CSV (with a header) or a JSONL file, and every fault with the number of its line. Values are not repeated: one might be a hash (S12). */
export function readUsers(text: string, format: 'csv' | 'jsonl'): ReadUsers {
  const rows = format === 'csv' ? csvRows(text) : jsonRows(text);
  const users: { line: number; user: ImportedUser }[] = [];
  const faults: { line: number; message: string }[] = [];
  const seen = new Map<string, number>();
  for (const { line, value, fault } of rows) {
    const parsed = importedUser.safeParse(value);
    if (fault !== undefined) faults.push({ line, message: fault });
    else if (!parsed.success)
      for (const { path, message } of parsed.error.issues)
        faults.push({ line, message: `${path.join('.')} ${message}`.trim() });
    else {
      const key = parsed.data.email.toLowerCase();
      const before = seen.get(key);
      if (before !== undefined) faults.push({ line, message: `email is that of line ${before} too` });
      else users.push({ line, user: parsed.data });
      seen.set(key, before ?? line);
    }
  }
  return { users, faults };
}

function csvRows(text: string): Row[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    const [header, ...rest] = records;
    if (header === undefined) return [];
    return rest.map(({ record, info }) => {
      if (record.length !== header.record.length)
        return {
          line: info.lines,
          value: undefined,
          fault: `has ${record.length} fields, the header ${header.record.length}`,
        };
      const filled = header.record.map((name, at) => [name, record[at]]).filter(([, value]) => value !== '');
      return { line: info.lines, value: Object.fromEntries(filled) };
    });
  } catch (error) {
    const { lines = 1, code = 'error' } = error as { lines?: number; code?: string };
    return [{ line: lines, value: undefined, fault: `is not CSV (${code})` }];
  }
}

function jsonRows(text: string): Row[] {
  return text.split(/\r?\n/).flatMap((content, at) => {
    if (content.trim() === '') return [];
    try {
      return [{ line: at + 1, value: JSON.parse(content) }];
    } catch {
      return [{ line: at + 1, value: undefined, fault: 'is not JSON' }];
    }
  });
}
