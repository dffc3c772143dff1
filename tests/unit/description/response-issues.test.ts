import { describe, expect, it } from '@jest/globals';
import { restSection } from '../../../rest-facade/config.ts';
import { compileRoutes } from '../../../rest-facade/compile/compile-routes.ts';
import { describeRoutes } from '../../../rest-facade/openapi/describe-routes.ts';
import { type Exchange, responseIssues } from '../../support/description/response-issues.ts';
import { readDescription } from '../../support/description/described-interface.ts';
import { libraryDocuments } from '../rest-facade/support/library-documents.ts';
import { librarySchema } from '../rest-facade/support/library-graph.ts';

const { routes, fragments } = compileRoutes(libraryDocuments, librarySchema);
const source = {
  routes,
  fragments,
  schema: librarySchema,
  challenges: 'Bearer',
  needsCredentials: () => false,
  settings: restSection.parse({}),
};
const interfaces = [readDescription(describeRoutes(source, { version: 1, isDefault: true, basePath: '' }))];

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-correlation-id': 'a',
  'api-version': '1',
  'cache-control': 'no-cache',
  vary: 'Accept',
};
const BOOK = { id: 1, title: 'A', price: 1.5, genre: 'NOVEL', tags: [], relatedIds: [2], pages: null };
const REJECTION = { error: 'NOT_FOUND', message: 'There is none.', traceId: 'a' };

/** Default is a response to `GET /books/1`. */
function errorsOf({ body = BOOK, ...exchange }: Partial<Omit<Exchange, 'text'>> & { readonly body?: unknown }): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return responseIssues({ method: 'GET', target: '/books/1', status: 200, headers: HEADERS, text, ...exchange }, interfaces);
}

describe('responses that do not match the OpenAPI description', () => {
  it.each<[string, Parameters<typeof errorsOf>[0], RegExp]>([
    ['a status that is not described', { status: 418 }, /GetBook has no described response with status 418/],
    ['a success at a path that is not described', { target: '/nothing' }, /no described path matches \/nothing/],
    ['a success of a method that is not described', { method: 'PATCH', target: '/books' }, /the method PATCH is not described/],
    ['405 without an Allow header', { method: 'PATCH', target: '/books', status: 405, body: REJECTION }, /no Allow header/],
    ['a media type that is not described', { headers: { ...HEADERS, 'content-type': 'text/html' } }, /text\/html is not described/],
    ['no media type', { headers: { 'x-correlation-id': 'a', 'api-version': '1', 'cache-control': 'x' } }, /\(none\) is not described/],
    [
      'a missing required header',
      { headers: { 'content-type': 'application/json', 'api-version': '1', 'cache-control': 'x' } },
      /X-Correlation-Id is missing/,
    ],
    ['a header that does not match its pattern', { headers: { ...HEADERS, etag: 'no quotes' } }, /ETag.*pattern/],
    ['a header that is not described', { headers: { ...HEADERS, 'x-powered-by': 'x' } }, /header x-powered-by is not described/],
    [
      'a header of another response',
      { status: 404, body: REJECTION, headers: { ...HEADERS, 'accept-post': 'x' } },
      /header accept-post is not described/,
    ],
    ['a body that is not JSON', { body: '{' }, /not JSON/],
    ['a missing property', { body: { ...BOOK, title: undefined } }, /required property 'title'/],
    ['a property of another type', { body: { ...BOOK, id: '1' } }, /must be integer/],
    ['null in a non-null property', { body: { ...BOOK, price: null } }, /must be number/],
    ['a value outside of the enum', { body: { ...BOOK, genre: 'SONG' } }, /allowed values/],
    ['a property that is not described', { body: { ...BOOK, secret: 1 } }, /unevaluated/],
    ['a nested property that is not described', { body: { ...BOOK, writer: { id: 1, name: 'A', secret: 1 } } }, /unevaluated/],
    ['a code that does not belong to the status', { status: 404, body: { ...REJECTION, error: 'FORBIDDEN' } }, /allowed values/],
    ['a page without its size', { target: '/books', body: { data: [], page: 1 } }, /pageSize/],
    ['a body of 304', { status: 304, body: 'x' }, /there is a body, and none is described/],
    ['a narrowed body with a property that is not described', { target: '/books/1?fields=id', body: { id: 1, secret: 1 } }, /unevaluated/],
  ])('reports %s', (_title, exchange, issue) => {
    expect(errorsOf(exchange).join('\n')).toMatch(issue);
  });

  it.each<[string, Parameters<typeof errorsOf>[0]]>([
    ['the resource', {}],
    ['the resource below a mount and a version', { target: '/api/v1/books/1' }],
    ['the resource without a field that may be omitted', { body: { ...BOOK, pages: undefined } }],
    ['a narrowed resource', { target: '/books/1?fields=id', body: { id: 1 } }],
    ['a page', { target: '/books', body: { data: [BOOK], page: 1, pageSize: 20, totalPages: 1, totalElements: 1 } }],
    ['HEAD', { method: 'HEAD', body: '' }],
    ['an error response', { status: 404, body: REJECTION }],
    ['an error response at no resource', { target: '/nothing', status: 404, body: REJECTION }],
    ['a response of another endpoint', { target: '/graphql', body: {} }],
  ])('accepts %s', (_title, exchange) => {
    expect(errorsOf(exchange)).toEqual([]);
  });
});
