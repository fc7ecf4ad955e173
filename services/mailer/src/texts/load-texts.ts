import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@latchkey/kit';
import { catalogue } from './catalogue.js';
import { createTexts } from './create-texts.js';
import type { Texts } from './texts.js';

/** By language tag; the first is what is left when nothing else fits. */
export type TextsByLanguage = Readonly<Record<string, Texts>>;

const ownFolder = join(__dirname, '../../texts');
const fallback = 'en';
const fileName = /^([a-z]{2}(?:-[A-Za-z0-9]{2,8})?)\.json$/;

/**
 * Every language that mails are written in: ours, and what a team's folder has on top. A file there replaces those texts of its language that it names (lists as a
 * whole), or brings a language, which must be complete then. Throws `ConfigError` with every fault of every file.
 */
export function loadTexts(folder: string | null): TextsByLanguage {
  const faults: string[] = [];
  const own = readFolder(ownFolder, faults);
  const others = folder === null ? new Map<string, unknown>() : readFolder(folder, faults);
  const texts: Record<string, Texts> = {};
  for (const language of new Set([fallback, ...own.keys(), ...others.keys()])) {
    const parsed = catalogue.safeParse(merged(own.get(language), others.get(language)));
    if (parsed.success) texts[language] = createTexts(language, parsed.data);
    else
      for (const { path, message } of parsed.error.issues)
        faults.push(`${language}.json: ${path.join('.') || 'it'}: ${message}`);
  }
  if (faults.length > 0) throw new ConfigError(faults.map((message) => ({ setting: 'MAIL_TEXTS', message })));
  return texts;
}

function readFolder(folder: string, faults: string[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  try {
    for (const name of readdirSync(folder).sort()) {
      const language = fileName.exec(name)?.[1];
      if (language !== undefined) readLanguage(folder, name, language);
      else if (name.endsWith('.json'))
        faults.push(`${name}: is not named after a language, such as fr.json or pt-BR.json`);
    }
  } catch (error) {
    faults.push(`cannot be read: ${(error as Error).message}`);
  }
  return found;

  function readLanguage(from: string, name: string, language: string) {
    try {
      found.set(language, JSON.parse(readFileSync(join(from, name), 'utf8')));
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
    }
  }
}

/** `over` on top of `base`, object by object; anything else is replaced. */
function merged(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isObject(base) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(base[key], over[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
