import { z } from 'zod';

/** Names and texts as the operating system hands them over. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: everything that the loader, the documentation and `.env.example` need to know of it. */
export interface Setting<T = unknown> {
  /** Filled in by the catalogue. */
  readonly name?: string;
  /** From the text of the environment to the value. Its messages never repeat the text. */
  readonly schema: z.ZodType<T, string>;
  /** The text used when the setting is empty. */
  readonly default?: string | ((environment: Environment) => string);
  /** One line, for people. */
  readonly description: string;
  /** What leaving it empty means. */
  readonly whenEmpty: string;
  /** Its value is never printed, and it may be given as `NAME_FILE`. */
  readonly secret?: boolean;
  /** Without it nothing starts. */
  readonly required?: boolean;
  /** Why this value, good elsewhere, may not be used with NODE_ENV=production; `null` when it may. */
  productionFault?(value: T): string | null;
}

type Details<T> = Omit<Setting<T>, 'schema' | 'name' | 'default' | 'required' | 'whenEmpty'>;

/** A setting with a default. */
export function setting<T>(
  schema: z.ZodType<T, string>,
  fallback: NonNullable<Setting['default']>,
  details: Details<T> & { readonly whenEmpty?: string },
): Setting<T> {
  return { whenEmpty: typeof fallback === 'string' ? fallback : 'derived', ...details, schema, default: fallback };
}

/** A setting that may stay unset; its value is then `undefined`. */
export function optional<T>(
  schema: z.ZodType<T, string>,
  details: Details<T> & { readonly whenEmpty: string },
): Setting<T | undefined> {
  return { ...details, schema } as Setting<T | undefined>;
}

/** A setting without which nothing starts. */
export function required<T>(schema: z.ZodType<T, string>, details: Details<T>): Setting<T> {
  return { ...details, schema, required: true, whenEmpty: 'refuses to start' };
}

/** A setting that may stay unset elsewhere, for those who cannot do without it. */
export function needed<T>(setting: Setting<T | undefined>): Setting<T> {
  return { ...setting, required: true, whenEmpty: 'refuses to start' } as Setting<T>;
}

/** A schema from text: `read` gives the value, or `undefined` when the text is not what `expected` says. */
export function parsed<T>(expected: string, read: (text: string) => T | undefined): z.ZodType<T, string> {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
}
