import { describe, expect, it } from '@jest/globals';
import { type GraphQLNamedType, printType } from 'graphql';
import { createIndexes } from '../../../../gateway/planning/indexing/create-indexes.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { SupergraphInvalid } from '../../../../gateway/supergraph/supergraph-invalid.ts';
import { supergraphWith } from '../../../support/graphql/supergraph-with.ts';

/** Both ways in which a supergraph is read as a whole: by commands, and by the planner of a gateway that starts or reloads. */
const READERS = [
  ['loadSupergraph', (sdl: string) => void loadSupergraph(sdl)],
  ['createIndexes', (sdl: string) => void createIndexes(sdl, { hasAuthentication: true })],
] as const;

function messagesFor(types: string): readonly string[] {
  return READERS.map(([name, read]) => {
    try {
      read(supergraphWith(types));
    } catch (error) {
      if (error instanceof SupergraphInvalid) return error.message.replace(/ \(line \d+\)/, ' (line)');
      throw error;
    }
    throw new Error(`${name} accepted the supergraph.`);
  });
}

const HIDDEN_TYPE = 'type Hidden @inaccessible { id: ID }';
const HIDDEN_INPUT = 'input Hidden @inaccessible { id: ID }';

describe('a supergraph with hidden types', () => {
  it.each([
    ['a field', `type Query { a: Hidden }\n${HIDDEN_TYPE}`, 'Query.a'],
    ['a field of a list', `type Query { a: [[Hidden!]!]! }\n${HIDDEN_TYPE}`, 'Query.a'],
    ['a field of an interface', `type Query { a: Node }\ninterface Node { a: Hidden }\n${HIDDEN_TYPE}`, 'Node.a'],
    ['a field of an unused type', `type Query { a: Int }\ntype Other { a: Hidden }\n${HIDDEN_TYPE}`, 'Other.a'],
    ['a field of a hidden enum', 'type Query { a: Hidden }\nenum Hidden @inaccessible { A }', 'Query.a'],
    ['a field of a hidden union', `type Query { a: Hidden }\nunion Hidden @inaccessible = Query`, 'Query.a'],
    ['an argument of a hidden input', `type Query { a(b: Hidden): Int }\n${HIDDEN_INPUT}`, 'Query.a(b:)'],
    ['an argument of a hidden enum with a default', 'type Query { a(b: Hidden = A): Int }\nenum Hidden @inaccessible { A }', 'Query.a(b:)'],
    [
      'an input field of a hidden scalar',
      'type Query { a(b: In): Int }\ninput In { a: Int b: Hidden! }\nscalar Hidden @inaccessible',
      'In.b',
    ],
    ['an argument of a directive', `directive @change(to: Hidden) on FIELD\ntype Query { a: Int }\n${HIDDEN_INPUT}`, '@change(to:)'],
  ])('is rejected for the public type of %s', (_name, types, coordinate) => {
    const expected =
      `The supergraph cannot be served: ${coordinate} (line) is public, but its type Hidden is @inaccessible. ` +
      `Apply @inaccessible to ${coordinate} as well, or remove it from Hidden.`;
    expect(messagesFor(types)).toEqual([expected, expected]);
  });

  it('is rejected with the line of the field', () => {
    const sdl = supergraphWith(`type Query {\n  a: Int\n  b: Hidden\n}\n${HIDDEN_TYPE}`);
    const line = sdl.split('\n').indexOf('  b: Hidden') + 1;
    for (const [, read] of READERS) expect(() => read(sdl)).toThrow(`Query.b (line ${line}) is public`);
  });

  it('is rejected with all fields that refer to hidden types', () => {
    const fields = Array.from({ length: 13 }, (_, index) => `f${index}: Hidden`).join(' ');
    const [message] = messagesFor(`type Query { ${fields} g(a: Other): Int }\n${HIDDEN_TYPE}\nscalar Other @inaccessible`);
    expect(message).toContain('Query.f0 (line) is public');
    expect(message).toMatch(/The same applies to Query\.f1 \(Hidden\), .*Query\.f10 \(Hidden\) and 3 more\.$/);
  });

  it('is rejected for a field with a type of a linked feature', () => {
    const expected =
      'The supergraph cannot be served: Query.a (line) is public, but its type join__Graph is a type of a linked feature, which no ' +
      'public schema contains. Apply @inaccessible to Query.a, or change its type.';
    expect(messagesFor('type Query { a: join__Graph }')).toEqual([expected, expected]);
  });

  it.each([
    ['a union', 'type Query { a: Some }\nunion Some = Hidden', 'Union type Some must define one or more member types.'],
    ['an object type', 'type Query { a: Some }\ntype Some { a: Int @inaccessible }', 'Type Some must define one or more fields.'],
    ['an enum', 'type Query { a: Some }\nenum Some { A @inaccessible }', 'Enum type Some must define one or more values.'],
  ])('is rejected for %s with only hidden members', (_name, types, issue) => {
    const expected =
      `The supergraph cannot be served: ${issue} All members of Some are @inaccessible. Apply @inaccessible to Some as well, or remove ` +
      'it from one of them.';
    expect(messagesFor(`${types}\n${HIDDEN_TYPE}`)).toEqual([expected, expected]);
  });

  it('is served without hidden members of a union and without hidden interfaces', () => {
    const sdl = supergraphWith(`type Query { a: Some }
union Some = Shown | Hidden
type Shown implements Node { id: ID }
interface Node @inaccessible { id: ID }
${HIDDEN_TYPE}`);
    const { schema } = loadSupergraph(sdl);
    const printed = ['Some', 'Shown'].map((name) => printType(schema.getTypeMap()[name] as GraphQLNamedType));
    expect(printed).toEqual(['union Some = Shown', 'type Shown {\n  id: ID\n}']);
  });

  it('is served when every reference to a hidden type is hidden', () => {
    const sdl = supergraphWith(`type Query { a(b: Hidden @inaccessible): Int c: Other @inaccessible }
input In { a: Int b: Hidden @inaccessible }
type Other @inaccessible { a(b: Hidden): Other }
${HIDDEN_INPUT}`);
    expect(() => READERS.map(([, read]) => read(sdl))).not.toThrow();
  });
});
