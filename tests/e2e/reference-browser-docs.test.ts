import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { fetchDescriptions } from '../support/description/fetch-descriptions.ts';
import { describeOnStack } from '../support/stack/shared-stack.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isMissing = !existsSync(executablePath);
if (isMissing && process.env['CI'] === 'true')
  throw new Error(`Chromium is missing at ${executablePath}. With CI=true these tests must run.`);
if (isMissing) process.stderr.write(`\nNOT TESTED: /docs in a browser, because Chromium is missing at ${executablePath}.\n`);

describeOnStack('the docs page in a browser', (stack) => {
  let browser: Browser;
  beforeAll(async () => {
    if (!isMissing) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });

  (isMissing ? it.skip : it)(
    'shows every operation of each version without console errors or requests to other origins',
    async () => {
      const interfaces = await fetchDescriptions(stack.url);
      const context = await browser.newContext();
      const page = await context.newPage();
      const requested: string[] = [];
      const complaints: string[] = [];
      context.on('request', (request) => requested.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      // Reports violations of the content security policy.
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(violatedDirective, blockedURI));",
      );
      const response = await page.goto(`${stack.url}/docs`);
      expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");

      const [newest] = interfaces.map(({ version }) => version).toSorted((a, b) => b - a);
      await page.locator('.info .version').first().getByText(String(newest), { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'JSON', exact: true }).getAttribute('href')).toBe(`v${newest}/openapi.json`);
      for (const { version, operations } of interfaces) {
        await page.getByLabel('Version', { exact: true }).selectOption({ label: `Version ${version}` });
        await page.locator('.info .version').first().getByText(String(version), { exact: true }).waitFor();
        const shown = page.locator('.opblock-tag-section .opblock');
        await shown.nth(operations.length - 1).waitFor();
        expect(await shown.count()).toBe(operations.length);
        // Exactly the operations without an alternative for anonymous callers have a lock.
        const locked = operations.filter(
          ({ operation: { security = [] } }) => security.length > 0 && security.every((one) => Object.keys(one).length > 0),
        );
        expect(locked.length).toBeGreaterThan(0);
        expect(
          await page
            .locator('.opblock')
            .filter({ has: page.getByLabel('Needs credentials') })
            .count(),
        ).toBe(locked.length);
      }

      expect(requested.filter((url) => !url.startsWith(stack.url) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
