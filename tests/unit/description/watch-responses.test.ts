import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { type RestFacade, toExpress } from '../../../rest-facade/index.ts';
import { expectIssue } from '../../support/description/expect-described-responses.ts';
import { serveFacade } from '../rest-facade/support/serve-facade.ts';

/** The facade with some of its responses replaced. */
function spoiling(spoil: (response: ServerResponse) => void): (facade: RestFacade) => RequestListener {
  return (facade) => (request, response) => {
    if (request.url?.startsWith('/books') === true) spoil(response);
    else facade(request, response);
  };
}

const HEAD = {
  'content-type': 'application/json; charset=utf-8',
  'api-version': '1',
  'x-correlation-id': 'a',
  'cache-control': 'no-cache',
};
const BOOK = JSON.stringify({ id: 1, title: 'A', price: 1.5, genre: 'NOVEL', tags: [], relatedIds: [2], pages: null });

describe('responses of servers that tests start', () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['a body that is not described', (response) => response.writeHead(200, HEAD).end('{}'), /GET \/books\/1 .*required property 'title'/],
    [
      'a body in several writes after headers that are a list',
      (response) => {
        response.writeHead(200, Object.entries(HEAD).flat());
        response.write(BOOK.slice(0, 5));
        response.end(`${BOOK.slice(5, -1)},"secret":1}`);
      },
      /unevaluated/,
    ],
    [
      'a status that is not described',
      (response) => response.writeHead(418, HEAD).end(BOOK),
      /GetBook has no described response with status 418/,
    ],
    [
      'a header that is not described',
      (response) => response.setHeader('X-Powered-By', 'x').writeHead(200, HEAD).end(BOOK),
      /header x-powered-by is not described/,
    ],
    [
      'a media type that is not described',
      (response) => response.writeHead(200, { ...HEAD, 'content-type': 'text/html' }).end(BOOK),
      /text\/html/,
    ],
  ])('fails the test for %s', async (_title, spoil, issue) => {
    await using facade = await serveFacade({ wrap: spoiling(spoil) });
    await facade.send({ path: '/books/1' });
    await expectIssue(issue);
  });

  it('checks an error response that was sent before the server was known to serve REST', async () => {
    let isFirst = true;
    const spoil = (response: ServerResponse): void => {
      const { 'api-version': version, ...rest } = HEAD;
      if (isFirst) response.writeHead(418, rest).end('{}');
      else response.writeHead(200, { ...rest, 'api-version': version }).end(BOOK);
      isFirst = false;
    };
    await using facade = await serveFacade({ wrap: spoiling(spoil) });
    await facade.send({ path: '/books/1' });
    await facade.send({ path: '/books/1' });
    await expectIssue(/418/);
  });

  it('checks responses on raw sockets', async () => {
    await using facade = await serveFacade({ wrap: spoiling((response) => response.writeHead(200, HEAD).end('{}')) });
    const socket = connect(facade.port, '127.0.0.1');
    socket.end('GET /books/1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toContain('200 OK');
    await expectIssue(/required property 'title'/);
  });

  it('finds a facade below a path of another server, and ignores pages next to it', async () => {
    const wrap = (facade: RestFacade): RequestListener =>
      express()
        .get('/page', (_request, response) => void response.send('<p>'))
        .use('/shop', toExpress(facade), (_request, response) => void response.end());
    await using facade = await serveFacade({ wrap });
    expect((await facade.send({ path: '/shop/api/books/1' })).status).toBe(200);
    await expectIssue(/header x-powered-by is not described/);
    expect((await facade.send({ path: '/page' })).status).toBe(200);
    expect((await facade.send({ path: '/shop/openapi.json' })).status).toBe(200);
  });

  it('fails the test when REST responses have no description', async () => {
    await using facade = await serveFacade({ docs: false });
    expect((await facade.send({ path: '/books/1' })).status).toBe(200);
    await expectIssue(/the server has no description/);
  });

  it('accepts responses that match the description', async () => {
    await using facade = await serveFacade();
    const statuses = await Promise.all(
      ['/books/1', '/books?size=1', '/books/1?fields=id', '/nothing', '/books/x', '/books?fields=x'].map(
        async (path) => (await facade.send({ path, headers: { 'accept-encoding': 'br' } })).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 404, 404, 400]);
  });
});
