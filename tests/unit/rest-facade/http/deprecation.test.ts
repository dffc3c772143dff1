import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { toExpress } from '../../../../rest-facade/index.ts';
import { expectIssue } from '../../../support/description/expect-described-responses.ts';
import { type ServeOptions, serveFacade } from '../support/serve-facade.ts';

const SUNSET = Date.UTC(2026, 5, 30, 23, 59, 59);
const END = 'until: 1, deprecated: "2026-01-31", sunset: "2026-06-30"';
const book = (name: string, more: string, title: string): string =>
  `query ${name}($id: ID! @in(path: "book_id") @integer) @endpoint(method: GET, path: "/books/{book_id}", ${more}) { book(id: $id) @result { id ${title} } }\n`;
const ends = (text: string, options: ServeOptions = {}) =>
  serveFacade({ documents: [{ path: 'rest/x.graphql', text }], now: () => SUNSET - 1, ...options });

const BOTH = book('Old', END, 'title') + book('New', 'since: 2', 'name: title');
/** The same endpoint without a successor. */
const ALONE = book('Old', END, 'title') + book('Other', '', 'title').replace('/books/', '/tomes/');

describe('an endpoint that ends', () => {
  it('returns 410 with a link to the successor for every caller after the sunset', async () => {
    let now = SUNSET - 1;
    await using facade = await ends(BOTH, { now: () => now });
    expect((await facade.send({ path: '/api/books/3' })).status).toBe(200);
    now = SUNSET;
    const { status, json, headers } = await facade.send({ path: '/api/books/3', headers: { authorization: 'Bearer' } });
    expect({ status, error: json['error'] }).toEqual({ status: 410, error: 'GONE' });
    expect(headers).toMatchObject({ sunset: 'Tue, 30 Jun 2026 23:59:59 GMT', 'api-version': '1', 'cache-control': 'no-store' });
    const successor = /<([^>]+)>; rel="successor-version"/.exec(String(headers['link']))?.[1];
    expect(successor).toBe('/api/v2/books/3');
    expect((await facade.send({ path: String(successor) })).json).toEqual({ id: '3', name: 'Book 3' });
    expect((await facade.send({ path: '/v2/books/3' })).headers).not.toHaveProperty('sunset');
  });

  it('names no successor when none exists', async () => {
    await using facade = await ends(ALONE, { now: () => SUNSET });
    const { status, headers } = await facade.send({ path: '/books/3' });
    expect(status).toBe(410);
    expect(headers['link']).toBe('</docs>; rel="deprecation", </docs>; rel="sunset"');
    expect((await facade.send({ path: '/v2/books/3' })).status).toBe(404);
  });

  it('links the policy page and the successor below the outer server', async () => {
    const wrap: ServeOptions['wrap'] = (inner) => express().disable('x-powered-by').use('/shop', toExpress(inner));
    await using here = await ends(BOTH, { wrap });
    expect((await here.send({ path: '/shop/v1/books/3/' })).headers['link']).toBe(
      '</shop/docs>; rel="deprecation", </shop/docs>; rel="sunset", </shop/v2/books/3>; rel="successor-version"',
    );
    await using elsewhere = await ends(BOTH, { wrap, deprecationPolicy: 'https://example.com/ends' });
    expect((await elsewhere.send({ path: '/shop/books/3' })).headers['link']).toMatch(/^<https:\/\/example.com\/ends>; rel="deprecation"/);
  });

  it('without docs it has no link to `/docs`, and a configured policy is still linked', async () => {
    await using none = await ends(BOTH, { docs: false });
    expect((await none.send({ path: '/docs' })).status).toBe(404);
    expect((await none.send({ path: '/books/3' })).headers).toMatchObject({
      link: '</v2/books/3>; rel="successor-version"',
      deprecation: expect.anything(),
      sunset: expect.anything(),
    });
    await using theirs = await ends(BOTH, { docs: false, deprecationPolicy: '/docs' });
    expect((await theirs.send({ path: '/books/3' })).headers['link']).toMatch(/^<\/docs>; rel="deprecation", <\/docs>; rel="sunset", /);
    await expectIssue(/the server has no description/);
  });

  it('encodes characters of the policy URL that are not valid in a URL', async () => {
    await using facade = await ends(BOTH, { deprecationPolicy: '/ends|früh/%7B' });
    expect((await facade.send({ path: '/books/3' })).headers['link']).toMatch(/^<\/ends%7Cfr%C3%BCh\/%7B>; rel="deprecation", /);
  });

  it('encodes path characters that would end a link', async () => {
    await using facade = await ends(BOTH.replaceAll('@in(path: "book_id") @integer', '@in(path: "book_id")'));
    expect(String((await facade.send({ path: '/books/a>b' })).headers['link'])).toContain('</v2/books/a%3Eb>; rel="successor-version"');
  });

  it('rejects a default version that no document has', async () => {
    await expect(serveFacade({ defaultVersion: 3 })).rejects.toThrow('The default version is 3, but the documents define the versions 1.');
  });

  it('applies another default version when the request names none', async () => {
    await using facade = await ends(BOTH, { defaultVersion: 2 });
    expect((await facade.send({ path: '/books/3' })).json).toEqual({ id: '3', name: 'Book 3' });
  });

  it('serves the media types of another vendor', async () => {
    await using facade = await ends(BOTH, { mediaTypeVendor: 'shop' });
    const accept = 'application/vnd.shop.v2.envelope+json';
    const { json, headers } = await facade.send({ path: '/books/3', headers: { accept } });
    expect(json).toMatchObject({ data: { id: '3', name: 'Book 3' } });
    expect(headers['content-type']).toBe(accept);
    expect((await facade.send({ path: '/books/3', headers: { accept: accept.replace('shop', 'gatefold') } })).status).toBe(406);
  });
});
