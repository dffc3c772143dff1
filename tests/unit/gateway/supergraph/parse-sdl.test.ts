import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ASTNode, type DocumentNode, Kind, parse } from 'graphql';
import { runSteps } from '../../../../gateway/platform/run-steps.ts';
import { parseSdlInSteps, type SdlPositions } from '../../../../gateway/supergraph/parse-sdl.ts';
import { SIZES, writeLargeSupergraph } from '../../../../bench/scale/large-supergraph.ts';
import { buildFederation } from '../../../differential/federation/build-federation.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';

const FIRST_SEED = Number(process.env['PARSE_SDL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const DOCUMENTS = 30;

function inSteps(sdl: string): DocumentNode {
  const positions: SdlPositions = { definitions: [], fields: [] };
  const document = runSteps(parseSdlInSteps(sdl, positions));
  // The position of each definition contains the same definition, and so does that of each field.
  expect([0, document.definitions.length * 2]).toContain(positions.definitions.length);
  if (positions.definitions.length === 0) {
    expect(positions.fields).toEqual([]);
    return document;
  }
  const textAt = (all: readonly number[], index: number): string => sdl.slice(all[index * 2], all[index * 2 + 1]);
  for (const [index, definition] of document.definitions.entries()) {
    const { definitions } = parse(textAt(positions.definitions, index), { noLocation: true });
    expect(JSON.stringify(definitions)).toBe(JSON.stringify([definition]));
  }
  const fields = document.definitions.flatMap((definition): readonly ASTNode[] =>
    'fields' in definition && !definition.kind.startsWith('InputObject') ? (definition.fields ?? []) : [],
  );
  expect(positions.fields).toHaveLength(fields.length * 2);
  for (const [index, field] of fields.entries()) {
    const [definition] = parse(`type T {${textAt(positions.fields, index)}}`, { noLocation: true }).definitions;
    expect(JSON.stringify(definition)).toContain(`"fields":${JSON.stringify([field])}`);
  }
  return document;
}
const atOnce = (sdl: string): DocumentNode => parse(sdl, { noLocation: true });

/** Compares as JSON, because the nodes of the parser have a prototype. */
function expectSame(sdl: string): void {
  const [ours, theirs] = [JSON.stringify(inSteps(sdl)), JSON.stringify(atOnce(sdl))];
  // The texts are too long for the message of a failed comparison.
  expect({ isSame: ours === theirs, length: ours.length }).toEqual({ isSame: true, length: theirs.length });
}

const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('');

/** Writes text that contains everything that must not end a definition or a field. */
function randomSdl(random: Random): string {
  const comment = (): string => random.pick(['', '', '# } type X {\n', '# "\n', '# """\n']);
  const description = (indent: string): string =>
    random.pick(['', '', `${indent}"a } ( { # \\" b"\n`, `${indent}"""\n${indent}} ( { # " \\""" \n${indent}type X {\n${indent}"""\n`]);
  const directive = (): string =>
    random.pick(['', '', ' @d', ' @d(a: "}")', ' @d(\n    a: "x { y }"\n    b: [{ c: 1 }]\n  )', '\n  @d(a: """ } """)']);
  const args = (): string => random.pick(['', '', '(a: Int b: String = "}")', '(\n    a: In = { b: 1 }\n    "}" c: [Int!]!\n  )']);
  const fields = (count: number): string =>
    lines(
      count,
      (index) => `${comment()}${description('  ')}  f${index}${args()}: ${random.pick(['Int', '[String!]!', 'T'])}${directive()}\n`,
    );
  const inputFields = (count: number): string =>
    lines(count, (index) => `${description('  ')}  f${index}: Int${random.pick(['', ' = 1'])}${directive()}\n`);
  return lines(20, (index) => {
    const size = random.pick([1, 3, 20, 600]);
    return `${comment()}${description('')}${random.pick([
      () => `type T${index} implements A & B${directive()} {\n${fields(size)}}\n`,
      () => `scalar Before${index}\nextend type T${index}\n  @d(a: "}")\n{\n${fields(size)}}\n`,
      () => `interface I${index} {\n${fields(size)}}\n`,
      () => `input N${index} {\n${inputFields(size)}}\n`,
      () => `enum E${index} {\n${lines(size, (value) => `  V${value}${directive()}\n`)}}\n`,
      () => `union U${index} = A | B\n`,
      () => `scalar S${index}${directive()}\n`,
      () => `directive @x${index}(\n  a: Int\n  b: In = { c: 1 }\n) on FIELD_DEFINITION\n`,
      () => `schema @d { query: Query }\n`,
    ])()}`;
  });
}

describe('parseSdlInSteps', () => {
  it.each([
    ['an empty text', ''],
    ['a comment', '# nothing'],
    ['a missing brace', 'type A { a: Int'],
    ['a string that does not end', `type A { "x\n a: Int }`],
    [
      'a long type with an error in its middle',
      `type A {\n${lines(2_000, (index) => (index === 1_500 ? '  f(: Int\n' : `  f${index}: Int\n`))}}`,
    ],
  ])('rejects %s', (_name, sdl) => {
    expect(() => inSteps(sdl)).toThrow('Syntax Error');
    expect(() => atOnce(sdl)).toThrow('Syntax Error');
  });

  it.each([
    ['the reference graph', readFileSync('schema/supergraph.graphql', 'utf8')],
    ['the difficult graph', buildFederation().supergraphSdl],
    ['a large supergraph', writeLargeSupergraph(SIZES[1] as (typeof SIZES)[number], (index) => `http://s${index}.test`)],
    ['a text that ends with a comment', `type A { a: Int }\n# end`],
  ])('parses %s like the parser of graphql-js', (_name, sdl) => expectSame(sdl));

  it.each([
    'a: T @d b: T @d(x: 1) c: T @d (x: 1) d: T @ d e: T@d@d(x: 1) f: T @d,(x: 1), g: T @d\n    @d(x: 1)',
    'a: T @d # @d\n b: T @d # )\n @d(x: 1) c: T @d # c\n (x: 1) d: T @d(x: 1 # )\n) e: T # c\n @d',
    'a: T b: T! c: T ! d: [T] e: [T]! f: [ T ! ] ! g: [T # ]\n ] h: T # c\n ! i: [[T!]!]! j: T, k: [T],!',
    'a: T @d(x: ")") b: T @d(x: "\\")") c: T @d(x: """ ) \\""" ) """) d: T @d(x: "(", y: [{ z: "#" }]) e: T @d(x: "#) @d")',
    'a(x: T = 1 @d, y: [T!] = [1] @d(x: 1)): T @d(x: 1) b(x: T @d(x: 1)): T',
  ])('parses fields that begin like earlier ones: %s', (fields) => {
    expectSame(`type A { ${fields} } type B { ${fields} } input T { x: T @d y: [T!] @d(x: 1) } scalar S @d enum E @d(x: 1) { V @d }`);
  });

  it.each([
    'a: T]',
    'a: [T',
    'a: T!!',
    'a: T @d(',
    'a: T @d(x: 1',
    'a: T @d()',
    'a: T @d(x: 1))',
    'a: T @',
    'a: T @d(x: $x)',
    'a: T @d(x: (1))',
    'a: T @d(x: ")',
  ])('rejects a field that begins like earlier ones: %s', (field) => {
    const sdl = `type A { a: T b: [T] c: T! d: T @d e: T @d(x: 1) }\ntype B { ${field} }\ntype C { a: T @d }`;
    const messageOf = (parseText: (text: string) => unknown): string => {
      try {
        return JSON.stringify(parseText(sdl));
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf(inSteps)).toContain('Syntax Error');
    expect(messageOf(inSteps)).toBe(messageOf(atOnce));
  });

  it('shares equal names, types and lists of directives', () => {
    const document = inSteps('type A { id: [ID!]! @d(a: 1) @e } type B { id: [ID!]! @d(a: 1) @e } type C { id: [ID]! @d(a: 1) }');
    const [one, equal, other] = document.definitions.map((definition) => {
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) throw new Error(`Unexpected ${definition.kind}.`);
      const [field] = definition.fields ?? [];
      return [field?.name, field?.type, field?.directives];
    });
    for (const [index, part] of one?.entries() ?? []) expect(equal?.[index]).toBe(part);
    expect(other?.[0]).toBe(one?.[0]);
    expect([other?.[1], other?.[2]]).not.toContain(one?.[1]);
    expect([other?.[1], other?.[2]]).not.toContain(one?.[2]);
  });

  it('parses random texts like the parser of graphql-js', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + DOCUMENTS; seed += 1) {
      const sdl = randomSdl(createRandom(seed));
      try {
        expectSame(sdl);
      } catch (error) {
        throw new Error(`PARSE_SDL_SEED=${seed}`, { cause: error });
      }
    }
  });

  it('parses a type with thousands of fields in several steps', () => {
    const steps = [...parseSdlInSteps(`type Query {\n${lines(5_000, (index) => `  field${index}(id: ID!): Int\n`)}}\n`)];
    expect(steps.length).toBeGreaterThan(5);
  });
});
