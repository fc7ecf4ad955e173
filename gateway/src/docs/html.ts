import { escapeHtml } from '@latchkey/kit';

/** Our own short texts: escaped, with `code` between backticks. */
export function richText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A document with its style and scripts by address, since the policy forbids anything inline. */
export function htmlDocument(page: {
  title: string;
  brandName: string;
  styles: readonly string[];
  scripts?: readonly string[];
  body: string;
}): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(page.title)} · ${escapeHtml(page.brandName)}</title>`,
    '<link rel="icon" href="data:,">',
    ...page.styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...(page.scripts ?? []).map((src) => `<script defer src="${src}"></script>`),
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n${page.body}\n</body>\n</html>\n`;
}
