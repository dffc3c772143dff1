import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type DeferredGraph, startDeferredGraph } from '../../fixtures/deferred-graph.ts';
import { type MultipartResponse, requestMultipart } from '../../support/http/multipart-reader.ts';
import { codeBlocks } from '../../support/pages/code-blocks.ts';

const page = readFileSync(join(packageRoot, 'docs/guides/defer.md'), 'utf8');
const blocksOf = (language: string) => codeBlocks(page, language);

const [query = ''] = blocksOf('graphql');
/** Headers of a client that accepts incremental responses. */
const HEADERS = { accept: 'multipart/mixed;deferSpec=20220824, application/json', 'content-type': 'application/json' };

let graph: DeferredGraph;
beforeAll(async () => {
  graph = await startDeferredGraph();
});
afterAll(async () => {
  await graph[Symbol.asyncDispose]();
});

describe('the deferred fragments page', () => {
  const sendRequest = (variables: object, headers: Readonly<Record<string, string>> = HEADERS): Promise<MultipartResponse> =>
    requestMultipart({ url: `${graph.url}/graphql`, body: { query, variables }, headers });

  it('defers the fragment of its operation', async () => {
    const incremental = await sendRequest({});
    expect(await incremental.rest()).toEqual([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      { incremental: [{ label: 'price', path: ['book'], data: { price: 10 } }], hasNext: false },
    ]);
  });

  it('sends everything at once when its variable is false or multipart is not accepted', async () => {
    const whole = { data: { book: { title: 'Momo', price: 10 } } };
    expect(await (await sendRequest({ withPrice: false })).next()).toEqual(whole);
    expect(await (await sendRequest({}, { accept: 'application/json' })).next()).toEqual(whole);
  });
});
