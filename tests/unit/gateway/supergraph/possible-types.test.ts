import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createPossibleTypeIndex, isCompositeDefinition, readPossibleTypes } from '../../../../gateway/supergraph/possible-types.ts';

const DIRECTIVES = { implements: 'join__implements', unionMember: 'join__unionMember', inaccessible: 'inaccessible' };

function read(sdl: string): (type: string, graph: string) => readonly string[] {
  const data = readPossibleTypes(parse(sdl).definitions.filter(isCompositeDefinition), DIRECTIVES);
  const possible = createPossibleTypeIndex(structuredClone(data));
  return (type, graph) => [...possible.in(type, graph)];
}

describe('createPossibleTypeIndex', () => {
  it('has no possible types in a subgraph without implementations', () => {
    const typesIn = read('interface I { a: Int } type A implements I @join__implements(graph: X, interface: "I") { a: Int }');
    expect(typesIn('I', 'Y')).toEqual([]);
    expect(typesIn('I', 'X')).toEqual(['A']);
  });

  it('separates the implementations of each interface and subgraph', () => {
    const typesIn = read(`
      interface I { a: Int }
      interface J { a: Int }
      type A implements I & J @join__implements(graph: X, interface: "I") @join__implements(graph: Y, interface: "J") { a: Int }
      type B implements I @join__implements(graph: X, interface: "I") @join__implements(graph: Y, interface: "I") { a: Int }
    `);
    expect([typesIn('I', 'X'), typesIn('I', 'Y'), typesIn('J', 'X'), typesIn('J', 'Y')]).toEqual([['A', 'B'], ['B'], [], ['A']]);
  });

  it('has a type without @join__implements in every subgraph', () => {
    const typesIn = read(`
      interface I { a: Int }
      type A implements I { a: Int }
      type B implements I @join__implements(graph: X, interface: "I") { a: Int }
    `);
    expect([typesIn('I', 'X'), typesIn('I', 'Y')]).toEqual([['A', 'B'], ['A']]);
  });

  it('has the members of a union in the subgraphs of @join__unionMember, or in all', () => {
    const typesIn = read(`
      union U @join__unionMember(graph: X, member: "A") @join__unionMember(graph: Y, member: "B") = A | B
      union W = A | B
      type A { a: Int }
      type B { a: Int }
    `);
    expect([typesIn('U', 'X'), typesIn('U', 'Y'), typesIn('W', 'X')]).toEqual([['A'], ['B'], ['A', 'B']]);
  });

  it('has an object type as its only possible type', () => {
    expect(read('type A { a: Int }')('A', 'X')).toEqual(['A']);
    expect(read('interface I { a: Int } type A implements I @join__implements(graph: X, interface: "I") { a: Int }')('A', 'X')).toEqual([
      'A',
    ]);
  });

  it('separates all members and those that are public, in the order of the supergraph', () => {
    const document = parse('union U = C | B | A type A { a: Int } type B @inaccessible { a: Int } type C { a: Int }');
    const possible = createPossibleTypeIndex(readPossibleTypes(document.definitions.filter(isCompositeDefinition), DIRECTIVES));
    expect([[...possible.anywhere('U')], [...possible.visible('U')]]).toEqual([
      ['A', 'B', 'C'],
      ['A', 'C'],
    ]);
    expect([...possible.visible('B')]).toEqual([]);
  });
});
