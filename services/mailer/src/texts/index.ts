import { de } from './de.js';
import { en } from './en.js';
import type { Language, Texts } from './texts.js';

/** Every language that mails are written in; the first one is what is left when nothing else fits. */
export const texts: Readonly<Record<Language, Texts>> = { en, de };
export const languages = Object.keys(texts) as Language[];
