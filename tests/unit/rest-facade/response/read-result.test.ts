import { describe, expect, it } from '@jest/globals';
import { compileRoutes } from '../../../../rest-facade/index.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { readResult } from '../../../../rest-facade/response/read-result.ts';
import { shapeResource } from '../../../../rest-facade/response/shape-resource.ts';
import { librarySchema } from '../support/library-graph.ts';

const TEXT = `mutation M($input: CreateBookInput! @body) @endpoint(method: POST, path: "/books", status: 201) @noStore {
  createBook(input: $input) { book @result { id @integer title } receipt @beside errors @userErrors { field message code } }
}`;

/** The answer of a route, and what it throws in place of one. */
function shown(data: unknown, errors: readonly { readonly path: readonly string[]; readonly code: string }[] = []): unknown {
  const { routes, problems } = compileRoutes([{ path: 'x.graphql', text: TEXT }], librarySchema);
  expect(problems).toEqual([]);
  const [route] = routes as unknown as readonly [RestRoute];
  const told = errors.map(({ path, code }) => ({ message: 'No.', path, extensions: { code, requestId: 'r' } }));
  const { root, omitted } = readResult({ data, errors: told } as never, route, { variables: {} });
  return shapeResource(root, route.result.shape, { omitted, mask: undefined });
}

describe('what stands beside the result', () => {
  it('given none, when what was to be made was refused or failed, then the refusal is told and not what is beside it', () => {
    const refused = { createBook: { book: null, receipt: 'r-1', errors: [{ field: 'input.title', message: 'Taken.', code: 'CONFLICT' }] } };
    expect(() => shown(refused)).toThrow('Taken.');
    const failed = { createBook: { book: { id: '1', title: 'Momo' }, receipt: null, errors: [] } };
    expect(() => shown(failed, [{ path: ['createBook', 'receipt'], code: 'FORBIDDEN' }])).toThrow();
  });

  it('given a value, when answered, then it is shown among the fields of the object, after them', () => {
    const data = { createBook: { book: { id: '1', title: 'Momo' }, receipt: 'r-1', errors: [] } };
    expect(JSON.stringify(shown(data))).toBe('{"id":1,"title":"Momo","receipt":"r-1"}');
  });

  it('given a field of the object that the caller may not see, when answered, then that is left out all the same', () => {
    const data = { createBook: { book: { id: '1', title: null }, receipt: 'r-1', errors: [] } };
    expect(shown(data, [{ path: ['createBook', 'book', 'title'], code: 'FORBIDDEN' }])).toEqual({ id: 1, receipt: 'r-1' });
  });
});
