import { describe, expect, it } from '@jest/globals';
import { compileRoutes } from '../../../../rest-facade/index.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { readResult } from '../../../../rest-facade/response/read-result.ts';
import { shapeResource } from '../../../../rest-facade/response/shape-resource.ts';
import { librarySchema } from '../support/library-graph.ts';

const TEXT = `mutation M($input: CreateBookInput! @body) @endpoint(method: POST, path: "/books", status: 201) @noStore {
  createBook(input: $input) { book @result { id @integer title } receipt @hoist errors @userErrors { field message code } }
}`;

/** Response of a route. Throws the error that replaces it. */
function shown(data: unknown, errors: readonly { readonly path: readonly string[]; readonly code: string }[] = []): unknown {
  const { routes, problems } = compileRoutes([{ path: 'x.graphql', text: TEXT }], librarySchema);
  expect(problems).toEqual([]);
  const [route] = routes as unknown as readonly [RestRoute];
  const reported = errors.map(({ path, code }) => ({ message: 'No.', path, extensions: { code, requestId: 'r' } }));
  const { root, omitted } = readResult({ data, errors: reported } as never, route, { variables: {} });
  return shapeResource(root, route.result.shape, { omitted, mask: undefined });
}

describe('a field outside the result object', () => {
  it('is not shown when the creation was rejected or failed', () => {
    const rejected = {
      createBook: { book: null, receipt: 'r-1', errors: [{ field: 'input.title', message: 'Taken.', code: 'CONFLICT' }] },
    };
    expect(() => shown(rejected)).toThrow('Taken.');
    const failed = { createBook: { book: { id: '1', title: 'Momo' }, receipt: null, errors: [] } };
    expect(() => shown(failed, [{ path: ['createBook', 'receipt'], code: 'FORBIDDEN' }])).toThrow();
  });

  it('follows the fields of the object', () => {
    const data = { createBook: { book: { id: '1', title: 'Momo' }, receipt: 'r-1', errors: [] } };
    expect(JSON.stringify(shown(data))).toBe('{"id":1,"title":"Momo","receipt":"r-1"}');
  });

  it('is shown when a field of the object is omitted for the caller', () => {
    const data = { createBook: { book: { id: '1', title: null }, receipt: 'r-1', errors: [] } };
    expect(shown(data, [{ path: ['createBook', 'book', 'title'], code: 'FORBIDDEN' }])).toEqual({ id: 1, receipt: 'r-1' });
  });
});
