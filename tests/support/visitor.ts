import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const screenshots = resolve(__dirname, '../../.build/screenshots');

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly device?: 'desktop' | 'phone';
}

/** Somebody at a browser of their own, with everything that the browser complained about. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, uncaught errors, violations of the policy and requests to elsewhere; refusals of the API are none of them. */
  readonly complaints: string[];
  /** Faults that axe finds serious or critical, one line each. */
  seriousFaults(): Promise<string[]>;
  screenshot(name: string): Promise<void>;
  leave(): Promise<void>;
}

// Scripts of the page are text here: what they name exists in browsers only.
const tellViolations =
  "addEventListener('securitypolicyviolation', (event) => complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI))";

/** Opens a browser window. `origins`: who may be asked for anything. */
export async function visit(browser: Browser, origins: readonly string[], look: Look = {}): Promise<Visitor> {
  const isPhone = look.device === 'phone';
  const context = await browser.newContext({
    colorScheme: look.colorScheme ?? 'light',
    viewport: isPhone ? { width: 375, height: 740 } : { width: 1280, height: 800 },
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(tellViolations);
  const refused = new Set<string>();
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (response.status() >= 400 && /json/.test(type)) refused.add(response.url());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && !origins.includes(origin)) complaints.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught ${error}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser reports each refusal of the API so; that the page shows it in words is what the tests look at.
    const isRefusal = /^Failed to load resource/.test(message.text()) && refused.has(message.location().url);
    if (!isRefusal) complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  return {
    page,
    context,
    complaints,
    async seriousFaults() {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
        );
    },
    async screenshot(name) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    },
    leave: () => context.close(),
  };
}
