import { type ErrorCode, errorCodes, errorExplanations, exampleProblem } from '@latchkey/contracts';
import { escapeHtml } from '@latchkey/kit';
import { htmlDocument, richText } from './html.js';

export interface ErrorPagesOptions {
  readonly brandName: string;
  /** Address of the style. */
  readonly style: string;
}

/** The pages that a problem's `type` points to, by path, and their index. They hold nothing of any request. */
export function errorPages(options: ErrorPagesOptions): Map<string, string> {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return new Map([
    ['/errors', index(codes, options)],
    ...codes.map((code) => [`/errors/${code}`, errorPage(code, options)] as const),
  ]);
}

function index(codes: readonly ErrorCode[], { brandName, style }: ErrorPagesOptions): string {
  const rows = codes.map((code) => {
    const { status, title } = errorCodes[code];
    return `<tr><td class="status">${status}</td><th scope="row"><a href="/errors/${code}"><code>${code}</code></a></th><td>${escapeHtml(title)}</td></tr>`;
  });
  const body = `<main>
<h1>Errors</h1>
<p>Every refusal of the interface is a problem document (<code>application/problem+json</code>, RFC 9457). Its <code>code</code> is one of these, and its
<code>type</code> is the address of the code’s page here. <a href="/docs">All operations</a> say which of them they answer with.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</main>`;
  return htmlDocument({ title: 'Errors', brandName, styles: [style], body });
}

function errorPage(code: ErrorCode, { brandName, style }: ErrorPagesOptions): string {
  const { status, title } = errorCodes[code];
  const { meaning, remedy } = errorExplanations[code];
  const example = escapeHtml(JSON.stringify(exampleProblem(code), null, 2));
  const body = `<main>
<p class="soft"><a href="/errors">Errors</a> · <span class="status">${status}</span> <code>${code}</code></p>
<h1>${escapeHtml(title)}</h1>
<h2>What it means</h2>
<p>${richText(meaning)}</p>
<h2>What to do</h2>
<p>${richText(remedy)}</p>
<h2>What it looks like</h2>
<pre tabindex="0" role="region" aria-label="Example"><code>${example}</code></pre>
<p class="soft">Quote the <code>request_id</code> when you ask whoever runs the service: it is in the log, and with admins in the lists of mails and events.</p>
</main>`;
  return htmlDocument({ title, brandName, styles: [style], body });
}
