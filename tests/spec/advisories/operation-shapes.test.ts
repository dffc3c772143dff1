import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { queryInProcess } from '../../integration/authorization/run-matrix.ts';
import { SHAPE_TRANSPORTS, type ShapeTransport, type ShapesUnderTest, startShapes } from '../../integration/limits/shape-transports.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';

// Published failures of gateways and servers with operations that are small to send and expensive to process.

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

/** Returns fragments that each spread the next one twice, so that each doubles the selections. */
const doubling = (count: number): string =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{...F${index + 1} ...F${index + 1}}`)}fragment F${count} on User{id}`;

/** Returns doubling fragments with fields between them, aliases, and conditions that prevent equal spreads. */
const nestedDoubling = (count: number): string =>
  `query($a:Boolean!=true){user(id:1){...F0}}${repeat(
    count,
    (index) => `fragment F${index} on User{posts{author{...F${index + 1}}} ...{p:posts{author{...F${index + 1}@include(if:$a)}}}}`,
  )}fragment F${count} on User{id}`;

/** Returns fragments that each spread all later ones. */
const fan = (count: number): string =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{id ${repeat(count - index, (more) => `...F${index + more + 1} `)}}`)}fragment F${count} on User{id}`;

let shapes: ShapesUnderTest;
beforeAll(async () => {
  shapes = await startShapes();
});
afterAll(async () => shapes[Symbol.asyncDispose]());

async function rejectionBy(transport: ShapeTransport, query: string) {
  const before = shapes.requested();
  const { status, body } = await transport.request(shapes.http, { query }, { accept: 'application/graphql-response+json' });
  return { status, code: body.errors?.[0]?.extensions.code, requested: shapes.requested() - before };
}

describe.each(SHAPE_TRANSPORTS)('operations by $name', (transport) => {
  const rejected = (code: string) => ({ status: 400, code, requested: 0 });

  it.each([6, 10, 20, 30, 40].map((count) => [count, count < 10 ? doubling(count + 5) : doubling(count)] as const))(
    'CVE-2025-32030: counts doubling fragments, %d deep, without expansion',
    async (_count, query) => {
      expect(await rejectionBy(transport, query)).toEqual(rejected('SELECTION_LIMIT_EXCEEDED'));
    },
  );

  it.each([5, 8, 12])('CVE-2025-32031: rejects doubling spreads with aliases and conditions, %d deep', async (count) => {
    const { status, code, requested } = await rejectionBy(transport, nestedDoubling(count));
    expect({ status, requested }).toEqual({ status: 400, requested: 0 });
    expect(['SELECTION_LIMIT_EXCEEDED', 'DEPTH_LIMIT_EXCEEDED', 'ALIAS_LIMIT_EXCEEDED']).toContain(code);
  });

  it.each([14, 40])('CVE-2025-32032: rejects %d fragments that each spread all later ones', async (count) => {
    expect(await rejectionBy(transport, fan(count))).toEqual(rejected('SELECTION_LIMIT_EXCEEDED'));
  });

  it.each([31, 32, 33, 63, 64, 65])('CVE-2025-32033: counts two to the power of %d selections without an overflow', async (power) => {
    expect(await rejectionBy(transport, doubling(power))).toEqual(rejected('SELECTION_LIMIT_EXCEEDED'));
  });

  it('CVE-2025-32034: rejects many such operations at once and serves others', async () => {
    const attacks = Array.from({ length: 40 }, async (_, index) => rejectionBy(transport, doubling(30 + (index % 10))));
    const { body } = await transport.request(shapes.http, { query: '{ books { totalCount } }' });
    expect(body).toHaveProperty('data');
    for (const error of await Promise.all(attacks)) expect(error).toMatchObject({ status: 400, code: 'SELECTION_LIMIT_EXCEEDED' });
  });

  it('CVE-2025-31496: rejects fragments with quadratic validation before validation', async () => {
    const query = `{user(id:1){...F0}}${repeat(60, (index) => `fragment F${index} on User{${repeat(60, (other) => `...F${other} `)}}`)}`;
    const { status, requested } = await rejectionBy(transport, query.slice(0, transport.name === 'POST' ? undefined : 20_000));
    expect({ status, requested }).toEqual({ status: 400, requested: 0 });
  });
});

const OVERLAPPING: readonly (readonly [string, string])[] = [
  ['one field 1,500 times', `{ user(id: 1) { ${repeat(1_500, () => 'name ')} } }`],
  ['a grid of inline fragments', `{ user(id: 1) { ${repeat(30, () => `... on User { ${repeat(30, () => 'name ')} }`)} } }`],
  ['nested inline fragments', `{ user(id: 1) { ${repeat(400, () => '... { name ')} ${repeat(400, () => '}')} } }`],
  ['one object field many times', `{ ${repeat(400, () => 'user(id: 1) { name } ')} }`],
];

// GHSA-9pv7-vfvm-6vr7, webonyx GHSA-fc86-6rv6-2jpm and CVE-2026-40476 are of the same family.
it.each(OVERLAPPING)('CVE-2023-26144: compares overlapping fields of %s in limited time', async (_what, query) => {
  const { status, body } = await shapes.http.post<{ data?: unknown; errors?: unknown }>('/graphql', { query });
  expect(status).toBe(200);
  expect(body.data ?? body.errors).toBeDefined();
});

it('CVE-2024-28101: stops decompression of a 50 MB body at the limit', async () => {
  const body = gzipSync(Buffer.alloc(50 * 1_048_576, ' '));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const { status } = await shapes.http.send({ method: 'POST', path: '/graphql', headers, body });
  expect(status).toBe(413);
});

describe('CVE-2024-43414: types that many subgraphs share', () => {
  const FIELDS = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const sdl = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
    type Query { root: Shared @shareable }
    type Shared @key(fields: "id") { id: ID! @shareable ${FIELDS.map((name) => `${name}: Shared @shareable`).join(' ')} leaf: Int @shareable }
  `;
  const thing = { __typename: 'Shared', id: '1', leaf: 1 };
  const graph = buildGuardedGraph({
    subgraphs: Array.from({ length: 8 }, (_, index) => ({
      name: `s${index}`,
      url: `http://s${index}.invalid/`,
      files: [{ path: `s${index}.graphql`, text: sdl }],
    })),
    resolvers: { Query: { root: () => thing }, Shared: Object.fromEntries(FIELDS.map((name) => [name, () => thing])) },
    findEntity: () => thing,
    policy: {},
  });

  it('plans and executes every field in six levels of them', async () => {
    await using gateway = await startGuardedGateway(graph);
    const nested = (depth: number): string =>
      depth === 0
        ? 'leaf'
        : `leaf ${FIELDS.slice(0, 3)
            .map((name) => `${name} { ${nested(depth - 1)} }`)
            .join(' ')}`;
    const { text } = await queryInProcess(gateway)(
      { text: `{ root { ${nested(6)} } }`, variables: {} },
      { name: 'anybody', principal: ANONYMOUS },
    );
    expect(text.startsWith('{"data":{"root":{"leaf":1,"f0":{')).toBe(true);
  });
});
