import type { Texts } from '../texts/texts.js';
import { oneLine } from './one-line.js';
import type { Brand, Content } from './template.js';

/** The plain-text part. Every link stands on a line of its own. */
export function renderText(content: Content, texts: Texts, brand: Brand): string {
  const { greeting, paragraphs, rows, action, notes, aside } = content;
  const blocks: (readonly string[])[] = [
    [greeting],
    ...paragraphs.map((paragraph) => [paragraph]),
    ...(rows ? [rows.map(({ label, value }) => `${label}: ${value}`)] : []),
    ...(action ? [[action.url]] : []),
    ...notes.map((note) => [note]),
    ...(aside ? [[aside.text, aside.url]] : []),
  ];
  const body = blocks.map((lines) => lines.map(oneLine).join('\n')).join('\n\n');
  // The usual mark of a signature has a blank at its end (RFC 3676 §4.3).
  return `${body}\n\n-- \n${oneLine(texts.footer(brand.name))}\n`;
}
