import { escapeHtml } from '@latchkey/kit';
import { grounds } from './brand-style.js';

/** What configuration says about the pages. `brandColor`: `#rrggbb`. `brandLogo`: an address, or undefined for the name as text. */
export interface PageConfig {
  readonly brandName: string;
  readonly brandColor: string;
  readonly brandLogo: string | undefined;
  readonly passwordMinLength: number;
}

/** Fills in the document's placeholders. Nothing of a request goes into it. */
export function fillDocument(template: string, title: string, config: PageConfig): string {
  const { brandName, brandLogo = null, passwordMinLength } = config;
  const values: Record<string, string> = {
    title,
    brandName,
    settings: JSON.stringify({ brandName, brandLogo, passwordMinLength }),
    icon: icon(config.brandColor),
    groundLight: grounds.light,
    groundDark: grounds.dark,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => escapeHtml(values[key] ?? ''));
}

/** A keyhole on the brand's colour, within the document: no request of its own. */
function icon(color: string): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${color}"/>` +
    '<path fill="#fff" stroke="#0003" stroke-width=".5" d="M16 7a5 5 0 0 0-2.6 9.3L12 25h8l-1.4-8.7A5 5 0 0 0 16 7z"/></svg>';
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
