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

describe('fields that the version of a resource covers', () => {
  it('the version does not cover other objects unless `whole: true` is set', () => {
    const selection = 'id version @version title writer { name } reviews(first: 1) { text }';
    expect([...(validatorsOf(selection)?.version?.uncovered ?? [])]).toEqual(['writer', 'reviews']);
    expect(validatorsOf(selection.replace('@version', '@version(whole: true)'))?.version?.uncovered.size).toBe(0);
  });

  it('the version does not cover the fields in `except`', () => {
    expect([...(validatorsOf('id version @version(except: ["pages"]) title pages')?.version?.uncovered ?? [])]).toEqual(['pages']);
    expect([
      ...(validatorsOf('id version @version(whole: true, except: ["pages"]) pages writer { id }')?.version?.uncovered ?? []),
    ]).toEqual(['pages']);
  });

  it('the version covers only the fields of the subgraph that provides it', () => {
    const owners: Readonly<Record<string, readonly string[]>> = { version: ['books'], title: ['books', 'search'], price: ['shop'] };
    const ownersOf: OwnersOf = (_type, field) => new Set(owners[field]);
    expect([...(validatorsOf('title version @version price pages', ownersOf)?.version?.uncovered ?? [])]).toEqual(['price', 'pages']);
  });

  it('hidden fields do not change the representation that the version identifies', () => {
    const plain = validatorsOf('id version @version @internal title');
    const more = validatorsOf('id version @version @internal title reviews(first: 1) @internal { id }');
    expect(more?.version).toEqual(plain?.version);
    expect(plain?.version).toMatchObject({ name: 'version', isInteger: true, variant: 'id,title' });
  });

  it('finds the version of the resource by its alias, ignoring nested versions', () => {
    const found = validatorsOf('id seen: revision @version writer { id @version } changed: title @lastModified @internal');
    expect(found).toMatchObject({ version: { name: 'seen', isInteger: false }, lastModified: 'changed' });
  });
});
