import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { createRandom, type Random } from '../../support/random/random.ts';
import { type QueryResult, SHAPE_TRANSPORTS, type ShapesUnderTest, startShapes } from './shape-transports.ts';

/** Number of misspellings: more than one for each name of the schema. */
const MISSPELLINGS = Number(process.env['MISSPELLINGS'] ?? 800);
const ORDERS = 'query ($f: OrderFilter) { orders(filter: $f) { totalCount } }';

let shapes: ShapesUnderTest;
let schema: GraphQLSchema;
beforeAll(async () => {
  shapes = await startShapes();
  ({ schema } = loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8')));
});
afterAll(async () => shapes[Symbol.asyncDispose]());

/** Beginnings of suggestions. An error may name a missing required argument, because that does not guess the intended name. */
const HINT = /did you mean|perhaps|similar to|suggest/i;

/** Misspells a name: one letter is added, removed, replaced, or swapped with the next. */
function misspell(name: string, random: Random): string {
  const at = 1 + random.below(name.length - 1);
  const letter = 'abcdefghij'.charAt(random.below(10));
  const spelling = [
    name.slice(0, at) + letter + name.slice(at),
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + letter + name.slice(at + 1),
    name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1),
  ][random.below(4)];
  return spelling === undefined || spelling === name || !/^[A-Za-z_]\w*$/.test(spelling) ? `${name}z` : spelling;
}

/** Lists all names of the schema that a client can misspell, each as a function that builds the request. */
function positionsOf(): readonly ((random: Random) => QueryResult)[] {
  const position =
    (right: string, request: (wrong: string) => QueryResult) =>
    (random: Random): QueryResult =>
      request(misspell(right, random));
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isIntrospectionType(type) || type.name.length < 3) return [];
    const positions = [position(type.name, (wrong) => ({ query: `query ($v: ${wrong}) { me { id } }` }))];
    if (isObjectType(type) || isInterfaceType(type)) {
      positions.push(position(type.name, (wrong) => ({ query: `{ me { ... on ${wrong} { id } } }` })));
      for (const { name, args } of Object.values(type.getFields())) {
        if (name.length < 3) continue;
        positions.push(position(name, (wrong) => ({ query: `{ ...A } fragment A on ${type.name} { ${wrong} }` })));
        for (const { name: argument } of args.filter(({ name: { length } }) => length > 2)) {
          positions.push(position(argument, (wrong) => ({ query: `{ ...A } fragment A on ${type.name} { ${name}(${wrong}: 1) }` })));
        }
      }
    }
    if (isInputObjectType(type)) {
      for (const name of Object.keys(type.getFields()).filter(({ length }) => length > 2)) {
        positions.push(position(name, (wrong) => ({ query: `query ($v: ${type.name} = { ${wrong}: 1 }) { me { id } }` })));
        positions.push(position(name, (wrong) => ({ query: ORDERS, variables: { f: { [wrong]: 1 } } })));
      }
    }
    if (isEnumType(type)) {
      for (const { name } of type.getValues()) {
        positions.push(position(name, (wrong) => ({ query: `query ($v: ${type.name} = ${wrong}) { me { id } }` })));
        positions.push(position(name, (wrong) => ({ query: ORDERS, variables: { f: { status: [wrong] } } })));
      }
    }
    return positions;
  });
}

describe('Suggestions', () => {
  it(`Suggestions: suggests no name for ${MISSPELLINGS} misspellings of the schema by any transport`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    const positions = positionsOf();
    expect(positions.length).toBeGreaterThan(200);
    const codes = new Set<unknown>();
    for (let count = 0; count < MISSPELLINGS; count += 1) {
      const requested = positions[count % positions.length]?.(random) ?? { query: '' };
      const transport = SHAPE_TRANSPORTS[count % SHAPE_TRANSPORTS.length];
      const { text, body } = (await transport?.request(shapes.http, requested)) ?? { text: '', body: {} };
      codes.add(body.errors?.[0]?.extensions.code);
      expect({ seed, requested, text }).toEqual({ seed, requested, text: expect.not.stringMatching(HINT) });
    }
    expect(new Set(codes)).toEqual(new Set(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']));
  });

  it.each(['/books?siz=1', '/books?autor=x', '/books?sort=titel', '/orders?statu=PENDING', '/bokos', '/users?pgae=1'])(
    'Suggestions: suggests no name for %s by REST',
    async (path) => {
      const { status, text } = await shapes.http.get(path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(HINT);
    },
  );
});
