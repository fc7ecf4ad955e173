import { escapeHtml } from '@latchkey/kit';
import type { Texts } from '../texts/texts.js';
import { readableOn } from './readable-on.js';
import type { Brand, Content, Row } from './template.js';

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The html part: tables and inline CSS, because mail programs know little else; nothing is loaded from elsewhere but a configured logo. */
export function renderHtml(subject: string, content: Content, texts: Texts, brand: Brand): string {
  const { greeting, paragraphs, rows, action, notes, aside } = content;
  const body = [
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    ...(rows ? [table(rows)] : []),
    ...(action ? [button(action, brand), byHand(action.url, texts)] : []),
    ...notes.map(note),
    ...(aside ? [note(aside.text), linkNote(aside)] : []),
  ];
  return `<!doctype html>
<html lang="${escapeHtml(texts.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #14161a !important; }
  .card { background: #1f2329 !important; border-color: #333a44 !important; }
  .words { color: #e7eaee !important; }
  .small { color: #aab2bd !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f3f5f8">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="words" style="padding:0 4px 16px;${font};font-size:18px;font-weight:700;color:#1b2430">${letterhead(brand)}</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e1e5eb;border-radius:12px;padding:32px 28px 20px">
${body.join('\n')}
</td></tr>
<tr><td class="small" style="padding:16px 4px 0;${font};font-size:12px;line-height:18px;color:#667180">${escapeHtml(texts.footer(brand.name))}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function letterhead(brand: Brand): string {
  const name = escapeHtml(brand.name);
  if (brand.logo !== null)
    return `<img src="${escapeHtml(brand.logo)}" alt="${name}" height="32" style="display:block;border:0">`;
  const mark = `display:inline-block;width:12px;height:12px;border-radius:3px;background:${escapeHtml(brand.color)}`;
  return `<span style="${mark}"></span>&ensp;${name}`;
}

function paragraph(text: string): string {
  return `<p class="words" style="margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#1b2430">${escapeHtml(text)}</p>`;
}

function table(rows: readonly Row[]): string {
  const row = ({ label, value, sum }: Row) => {
    const cell = `padding:8px 0;border-top:1px solid #e1e5eb;${font};font-size:15px;line-height:22px;color:#1b2430;font-weight:${sum ? 700 : 400}`;
    return `<tr><td class="words" style="${cell}">${escapeHtml(label)}</td><td class="words" align="right" style="${cell};padding-left:16px">${escapeHtml(value)}</td></tr>`;
  };
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">${rows.map(row).join('')}</table>`;
}

function note(text: string): string {
  return `<p class="small" style="margin:0 0 12px;${font};font-size:14px;line-height:20px;color:#667180">${escapeHtml(text)}</p>`;
}

function button({ label, url }: { label: string; url: string }, brand: Brand): string {
  const style = `display:inline-block;padding:12px 24px;border-radius:8px;background:${escapeHtml(brand.color)};color:${readableOn(brand.color)};${font};font-size:16px;font-weight:600;text-decoration:none`;
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`;
}

function byHand(url: string, texts: Texts): string {
  const link = `<a href="${escapeHtml(url)}" class="small" style="color:#667180;word-break:break-all">${escapeHtml(url)}</a>`;
  return `<p class="small" style="margin:0 0 16px;${font};font-size:13px;line-height:20px;color:#667180">${escapeHtml(texts.openByHand)}<br>${link}</p>`;
}

function linkNote({ label, url }: { label: string; url: string }): string {
  return `<p style="margin:0 0 12px;${font};font-size:14px;line-height:20px"><a href="${escapeHtml(url)}" class="small" style="color:#667180">${escapeHtml(label)}</a></p>`;
}
