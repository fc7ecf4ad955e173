import type { Texts } from '../texts/texts.js';
import { oneLine } from './one-line.js';
import type { Brand, Content } from './template.js';

/** The plain-text part. Every link stands on a line of its own. */
export function renderText(content: Content, texts: Texts, brand: Brand): string {
  const { greeting, paragraphs, rows, action, notes, aside } = content;
  const blocks = [
    greeting,
    ...paragraphs,
    ...(rows ? [rows.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`).join('\n')] : []),
    ...(action ? [action.url] : []),
    ...notes,
    ...(aside ? [`${oneLine(aside.text)}\n${aside.url}`] : []),
    `-- \n${oneLine(texts.footer(brand.name))}`,
  ];
  return `${blocks.map((block) => (block.includes('\n') ? block : oneLine(block))).join('\n\n')}\n`;
}
