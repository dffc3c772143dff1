import { describe, expect, it } from '@jest/globals';
import { restSection } from '../../../rest-facade/config.ts';
import { compileRoutes } from '../../../rest-facade/compile/compile-routes.ts';
import { describeRoutes } from '../../../rest-facade/openapi/describe-routes.ts';
import { type Exchange, answerFaults } from '../../support/description/answer-faults.ts';
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
const REFUSAL = { error: 'NOT_FOUND', message: 'There is none.', traceId: 'a' };

/** Default is a response to `GET /books/1`. */
function faultsOf({ body = BOOK, ...exchange }: Partial<Omit<Exchange, 'text'>> & { readonly body?: unknown }): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answerFaults({ method: 'GET', target: '/books/1', status: 200, headers: HEADERS, text, ...exchange }, interfaces);
}

describe('responses that do not match the OpenAPI description', () => {
  it.each<[string, Parameters<typeof faultsOf>[0], RegExp]>([
    ['a status that is not described', { status: 418 }, /GetBook is not described to answer 418/],
    ['a success where nothing is described', { target: '/nothing' }, /nothing is described at \/nothing/],
    ['a success of a method that is not described', { method: 'PATCH', target: '/books' }, /PATCH is not described here/],
    ['405 that does not say what is allowed', { method: 'PATCH', target: '/books', status: 405, body: REFUSAL }, /what is allowed/],
    ['a media type that is not described', { headers: { ...HEADERS, 'content-type': 'text/html' } }, /text\/html is not described/],
    ['no media type', { headers: { 'x-correlation-id': 'a', 'api-version': '1', 'cache-control': 'x' } }, /\(none\) is not described/],
    [
      'a required header that is missing',
      { headers: { 'content-type': 'application/json', 'api-version': '1', 'cache-control': 'x' } },
      /X-Correlation-Id is missing/,
    ],
    ['a header of another form', { headers: { ...HEADERS, etag: 'no quotes' } }, /ETag.*pattern/],
    ['a header that is not described', { headers: { ...HEADERS, 'x-powered-by': 'x' } }, /header x-powered-by is not described/],
    [
      'a header of another answer',
      { status: 404, body: REFUSAL, headers: { ...HEADERS, 'accept-post': 'x' } },
      /header accept-post is not described/,
    ],
    ['a body that is no JSON', { body: '{' }, /no JSON/],
    ['a property that is missing', { body: { ...BOOK, title: undefined } }, /required property 'title'/],
    ['a property of another type', { body: { ...BOOK, id: '1' } }, /must be integer/],
    ['null where there never is', { body: { ...BOOK, price: null } }, /must be number/],
    ['a value that the enum does not have', { body: { ...BOOK, genre: 'SONG' } }, /allowed values/],
    ['a property that is not described', { body: { ...BOOK, secret: 1 } }, /unevaluated/],
    ['a property inside that is not described', { body: { ...BOOK, writer: { id: 1, name: 'A', secret: 1 } } }, /unevaluated/],
    ['a code that does not go with the status', { status: 404, body: { ...REFUSAL, error: 'FORBIDDEN' } }, /allowed values/],
    ['a page without its size', { target: '/books', body: { data: [], page: 1 } }, /pageSize/],
    ['a body of 304', { status: 304, body: 'x' }, /no body is described/],
    ['a narrowed body with what is not described', { target: '/books/1?fields=id', body: { id: 1, secret: 1 } }, /unevaluated/],
  ])('reports %s', (_title, exchange, fault) => {
    expect(faultsOf(exchange).join('\n')).toMatch(fault);
  });

  it.each<[string, Parameters<typeof faultsOf>[0]]>([
    ['the resource', {}],
    ['the resource below a mount and a version', { target: '/api/v1/books/1' }],
    ['the resource without what may be withheld', { body: { ...BOOK, pages: undefined } }],
    ['a narrowed resource', { target: '/books/1?fields=id', body: { id: 1 } }],
    ['a page', { target: '/books', body: { data: [BOOK], page: 1, pageSize: 20, totalPages: 1, totalElements: 1 } }],
    ['HEAD', { method: 'HEAD', body: '' }],
    ['a refusal', { status: 404, body: REFUSAL }],
    ['a refusal at no resource', { target: '/nothing', status: 404, body: REFUSAL }],
    ['what is no resource', { target: '/graphql', body: {} }],
  ])('accepts %s', (_title, exchange) => {
    expect(faultsOf(exchange)).toEqual([]);
  });
});
