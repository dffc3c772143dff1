import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { describeOnStack } from '../support/shared-stack.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isMissing = !existsSync(executablePath);
if (isMissing && process.env['CI'] === 'true')
  throw new Error(`There is no Chromium at ${executablePath}. With CI=true these tests must run.`);
if (isMissing) process.stderr.write(`\nNOT TESTED: EventSource of a browser, for there is no Chromium at ${executablePath}.\n`);

const COMMENTS = 'subscription Comments($postId: ID!) { commentAdded(postId: $postId) { comment { body author { name } } } }';
const COMMENT = 'mutation ($id: ID!, $body: String!) { addComment(input: { postId: $id, body: $body }) { comment { id } } }';

describeOnStack('EventSource of a browser, on the reference graph', (stack) => {
  let browser: Browser;
  beforeAll(async () => {
    if (!isMissing) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });

  (isMissing ? it.skip : it)(
    'given a page without a token, when somebody comments, then it reads of it, with an id to come back with',
    async () => {
      const author = await stack.newUser();
      const { data } = await stack.graphql<{ readonly createPost: { readonly id: string } }>(
        'mutation { createPost(input: { title: "Momo", body: "By Ende" }) { id } }',
        { token: author.token },
      );
      const id = data?.createPost.id ?? '';
      const page = await browser.newPage();
      await page.goto(`${stack.url}/health`);
      const target = `/graphql?${new URLSearchParams({ query: COMMENTS, variables: JSON.stringify({ postId: id }) }).toString()}`;
      await page.evaluate(`(${LISTEN})(${JSON.stringify(target)})`);
      const endsAt = Date.now() + 20_000;
      let heard: readonly Heard[] = [];
      // A stream says nothing before its first event.
      while (heard.length === 0 && Date.now() < endsAt) {
        await stack.graphql(COMMENT, { token: author.token, variables: { id, body: 'Well said — “ja”' } });
        heard = await page.evaluate<readonly Heard[]>('globalThis.heard');
      }
      expect(heard[0]).toEqual({
        data: { data: { commentAdded: { comment: { body: 'Well said — “ja”', author: { name: 'Somebody New' } } } } },
        lastEventId: expect.stringMatching(/./),
      });
      await page.close();
    },
  );
});

interface Heard {
  readonly data: unknown;
  readonly lastEventId: string;
}

/** Runs in the page. */
const LISTEN = `(target) => {
  globalThis.heard = [];
  const source = new EventSource(target);
  source.addEventListener('next', ({ data, lastEventId }) => globalThis.heard.push({ data: JSON.parse(data), lastEventId }));
  return new Promise((resolve) => source.addEventListener('open', () => resolve()));
}`;
