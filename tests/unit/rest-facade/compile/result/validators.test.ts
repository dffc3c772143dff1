import { describe, expect, it } from '@jest/globals';
import { type CompiledRoutes, compileRoutes } from '../../../../../rest-facade/index.ts';
import { BY_ID, GET_BOOK, get } from '../../support/document-parts.ts';
import { librarySchema } from '../../support/library-graph.ts';

type OwnersOf = NonNullable<Parameters<typeof compileRoutes>[2]>;

const validatorsOf = (selection: string, ownersOf?: OwnersOf) => {
  const text = get(BY_ID, GET_BOOK, `book(id: $id) @result { ${selection} }`);
  const { routes, problems }: CompiledRoutes = compileRoutes([{ path: 'a.graphql', text }], librarySchema, ownersOf);
  expect(problems).toEqual([]);
  return routes[0]?.result.validators;
};

describe('what the version of a resource speaks of', () => {
  it('given parts of other objects, when compiled, then the version does not speak of them, unless it is said that it does', () => {
    const selection = 'id version @version title writer { name } reviews(first: 1) { text }';
    expect([...(validatorsOf(selection)?.version?.uncovered ?? [])]).toEqual(['writer', 'reviews']);
    expect(validatorsOf(selection.replace('@version', '@version(whole: true)'))?.version?.uncovered.size).toBe(0);
  });

  it('given fields that change without the version, when they are named, then it does not speak of them', () => {
    expect([...(validatorsOf('id version @version(except: ["pages"]) title pages')?.version?.uncovered ?? [])]).toEqual(['pages']);
    expect([
      ...(validatorsOf('id version @version(whole: true, except: ["pages"]) pages writer { id }')?.version?.uncovered ?? []),
    ]).toEqual(['pages']);
  });

  it('given fields of several subgraphs, when compiled, then the version speaks of those that its own subgraph holds', () => {
    const owners: Readonly<Record<string, readonly string[]>> = { version: ['books'], title: ['books', 'search'], price: ['shop'] };
    const ownersOf: OwnersOf = (_type, field) => new Set(owners[field]);
    expect([...(validatorsOf('title version @version price pages', ownersOf)?.version?.uncovered ?? [])]).toEqual(['price', 'pages']);
  });

  it('given hidden fields, when compiled, then they make no difference to what is shown', () => {
    const plain = validatorsOf('id version @version @hide title');
    const more = validatorsOf('id version @version @hide title reviews(first: 1) @hide { id }');
    expect(more?.version).toEqual(plain?.version);
    expect(plain?.version).toMatchObject({ name: 'version', isInteger: true, form: 'id,title' });
  });

  it('given an alias, and versions of objects further in, when compiled, then that of the resource is found by its name', () => {
    const found = validatorsOf('id seen: revision @version writer { id @version } changed: title @lastModified @hide');
    expect(found).toMatchObject({ version: { name: 'seen', isInteger: false }, lastModified: 'changed' });
  });
});
