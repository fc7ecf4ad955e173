import { invalid } from './api-error.js';

/** A parsed form: texts, and objects made of `a[b][0]=c`. Lists are objects with numbers for keys. */
export interface Form {
  readonly [key: string]: string | Form;
}

/** Parses `application/x-www-form-urlencoded` with Stripe's brackets. */
export function parseForm(text: string): Form {
  const form: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    if (path.length > 8) throw invalid(name, 'Nested too deeply');
    let target = form;
    for (const [at, given] of path.entries()) {
      const key = given === '' ? String(Object.keys(target).length) : given;
      if (at === path.length - 1) target[key] = value;
      else {
        if (typeof target[key] !== 'object') target[key] = Object.create(null);
        target = target[key] as Record<string, unknown>;
      }
    }
  }
  return form as Form;
}

export function text(form: Form, name: string): string | undefined {
  const value = form[name];
  if (typeof value === 'object') throw invalid(name, `Invalid string: ${name}`);
  return value === undefined || value === '' ? undefined : value;
}

export function needed(form: Form, name: string): string {
  const value = text(form, name);
  if (value === undefined) throw invalid(name, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

export function whole(form: Form, name: string): number | undefined {
  const value = text(form, name);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(value)) throw invalid(name, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  return Number(value);
}

export function flag(form: Form, name: string): boolean | undefined {
  const value = text(form, name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalid(name, `Invalid boolean: ${value}`);
  return value === 'true';
}

export function list(form: Form, name: string): (string | Form)[] {
  const value = form[name];
  if (value === undefined || value === '') return [];
  if (typeof value === 'string') throw invalid(name, 'Invalid array');
  return Object.values(value);
}

export function section(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === 'object' ? value : {};
}

/** Metadata after a change: a given key replaces, an empty value removes. */
export function metadata(form: Form, before: Record<string, string> = {}): Record<string, string> {
  const merged = { ...before };
  for (const [key, value] of Object.entries(section(form, 'metadata'))) {
    if (value === '') delete merged[key];
    else merged[key] = String(value);
  }
  return merged;
}
