import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { type System, type SystemOptions, startSystem } from './system.js';
import { type Look, type Visitor, visit } from './visitor.js';

/** A system and a browser for the tests of one file, and a visitor for each test; a complaint of the browser fails the test. */
export function browserSession(settings: Record<string, string> = {}, options: SystemOptions = {}) {
  let system: System;
  let browser: Browser;
  let visitors: Visitor[] = [];

  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem(settings, options), launchChromium()]);
  });
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints);
    await Promise.all(visitors.map((visitor) => visitor.leave()));
    visitors = [];
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  return {
    get system() {
      return system;
    },
    /** Opens a page of ours in a fresh window. */
    async open(path: string, look?: Look): Promise<Visitor> {
      const payments = await simulatorOrigin(system);
      const visitor = await visit(browser, [new URL(system.publicUrl).origin, payments], look);
      visitors.push(visitor);
      await visitor.page.goto(`${system.publicUrl}${path}`);
      return visitor;
    },
    /** Opens a page of ours as somebody who is logged in. */
    async openLoggedIn(path: string, user: { email: string; password: string }, look?: Look): Promise<Visitor> {
      const visitor = await this.open('/login', look);
      await logIn(visitor, user);
      if (path !== '/account') await visitor.page.goto(`${system.publicUrl}${path}`);
      return visitor;
    },
  };
}

export async function logIn(
  { page }: Visitor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
}

/** Where the simulator's payment page is, as the browser is sent there. */
async function simulatorOrigin(system: System): Promise<string> {
  const { body } = await system.client().get('/products');
  const { body: started } = await system.client().get(`/checkout?price=${body.products[0].prices[0].id}`);
  return new URL(started.checkout.url).origin;
}
