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
const [request = ''] = blocksOf('http example');
const [response = ''] = blocksOf('http output');

/** Parses the headers of an HTTP message on the page. */
function headersOf(message: string): Record<string, string> {
  const [head = ''] = message.split('\n\n');
  const lines = head.split('\n').slice(1);
  return Object.fromEntries(lines.filter((line) => line.includes(': ')).map((line) => line.split(/: (.*)/) as [string, string]));
}

let graph: DeferredGraph;
beforeAll(async () => {
  graph = await startDeferredGraph();
});
afterAll(async () => {
  await graph[Symbol.asyncDispose]();
});

describe('the deferred fragments page', () => {
  const sendRequest = (variables: object, headers = headersOf(request)): Promise<MultipartResponse> =>
    requestMultipart({ url: `${graph.url}/graphql`, body: { query, variables }, headers });

  it('its operation and headers produce the response on the page', async () => {
    const httpResponse = await sendRequest({});
    expect(httpResponse.headers).toMatchObject(headersOf(response));
    const parts = response.split('\n').filter((line) => line.startsWith('{'));
    expect(parts).toHaveLength(2);
    expect(await httpResponse.rest()).toEqual(parts.map((part) => JSON.parse(part) as unknown));
  });

  it('sends everything at once when its variable is false or multipart is not accepted', async () => {
    const whole = { data: { book: { title: 'Momo', price: 10 } } };
    expect(await (await sendRequest({ withPrice: false })).next()).toEqual(whole);
    expect(await (await sendRequest({}, { accept: 'application/json' })).next()).toEqual(whole);
  });
});
