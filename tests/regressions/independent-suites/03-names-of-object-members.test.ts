import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, execute, Kind, parse } from 'graphql';
import { compileListSize } from '../../../gateway/operation/cost/list-size.ts';
import { compileInputCost } from '../../../gateway/operation/cost/input-cost.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { createFederation } from './in-process-federation.ts';

/** Members that every JavaScript object inherits. */
const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'] as const;
const each = (write: (name: string) => string): string => NAMES.map(write).join(' ');

const SDL = `
  enum Kind { ${each((name) => name)} }
  input Given { ${each((name) => `${name}: String`)} kind: Kind }
  type Thing { ${each((name) => `${name}(${name}: String): String`)} kind: Kind }
  type Query { thing(given: Given, ${each((name) => `${name}: String`)}): Thing }
  type Mutation { make(given: Given!): Thing }
`;

type SwapRemoveList = Readonly<Record<string, unknown>>;

/** Creates a thing whose fields return the arguments that they received. */
const thingOf = (args: SwapRemoveList): SwapRemoveList => {
  const given = Object.hasOwn(args, 'given') ? (args['given'] as SwapRemoveList | null) : undefined;
  const own = (from: SwapRemoveList | null | undefined, name: string): unknown =>
    from && Object.hasOwn(from, name) ? from[name] : undefined;
  return Object.fromEntries([...NAMES, 'kind'].map((name) => [name, own(given, name) ?? own(args, name) ?? null]));
};
/** Copies values to objects without a prototype, because graphql-js reads inherited members of variables. */
function bare(value: SwapRemoveList): SwapRemoveList {
  const copies = Object.entries(value).map(([name, one]) => [
    name,
    typeof one === 'object' && one !== null ? bare(one as SwapRemoveList) : one,
  ]);
  return Object.assign(Object.create(null) as SwapRemoveList, Object.fromEntries(copies));
}

const root = { thing: thingOf, make: thingOf };
const none = Object.fromEntries(NAMES.map((name) => [name, null]));
const all = Object.fromEntries(NAMES.map((name) => [name, `own ${name}`]));
const FIELDS = `{ ${each((name) => name)} }`;

describe('point 03: GraphQL names that equal inherited object members', () => {
  const federation = createFederation({ things: { sdl: SDL, root } });

  it('leave absent arguments and input fields absent', async () => {
    const declared = each((name) => `$${name}: String`);
    const query = `query (${declared} $given: Given) { thing(given: $given ${each((name) => `${name}: $${name}`)}) ${FIELDS} }`;
    const { requests } = await federation.request(query, { given: {} });
    expect(requests.map(({ variables }) => Object.values(variables))).toEqual([[{}]]); // graphql-js itself reads inherited members of these variables.
  });

  it('pass given values, as variables and as literals', async () => {
    const byVariable = await federation.request(`query ($given: Given) { thing(given: $given) ${FIELDS} }`, { given: all });
    expect(byVariable).toMatchObject({ data: { thing: all }, errors: [] });
    const literals = each((name) => `${name}: "own ${name}"`);
    expect(await federation.request(`{ thing(${literals}) ${FIELDS} }`)).toMatchObject({ data: { thing: all }, errors: [] });
    expect(await federation.request(`{ thing(given: { ${literals} }) ${FIELDS} }`)).toMatchObject({ data: { thing: all }, errors: [] });
  });

  it.each(NAMES)('pass the enum value and alias "%s"', async (name) => {
    const query = `query ($kind: Kind) { ${name}: thing(given: { kind: $kind }) { ${name}: kind } }`;
    expect(await federation.request(query, { kind: name })).toMatchObject({ data: { [name]: { [name]: name } }, errors: [] });
    await expect(federation.request(query, { kind: 'isPrototypeOf' })).rejects.toThrow();
  });

  it.each(NAMES)('apply the default of the variable "%s" in a condition without a value', async (name) => {
    const query = `query ($${name}: Boolean = false) { thing { kind @include(if: $${name}) __typename } }`;
    expect(await federation.request(query)).toMatchObject({ data: { thing: { __typename: 'Thing' } }, errors: [] });
  });
});

describe('point 03: costs of arguments named like inherited object members', () => {
  it('use no inherited member as the size of an argument', () => {
    const cost = { coordinate: 'Query.things', defaults: {}, listSize: { slicingArguments: ['constructor'] } };
    const settings = { assumedListSize: 7, maxPageSize: 100, isPageSizeEnforced: true };
    const [argument] = argumentsOf('{ things(constructor: $toString) }');
    const size = compileListSize({ ...cost, defaults: { constructor: 3 } } as never, argument && [argument], settings, () => undefined);
    expect(typeof size === 'function' ? size({}) : size).toBe(3);
  });

  it('charge nothing for a member that the value only inherits', () => {
    const leaf = { weight: 5, fields: () => new Map() };
    const cost = { weight: 1, fields: () => new Map(NAMES.map((name) => [name, leaf])) };
    const [argument] = argumentsOf('{ things(given: $valueOf) }');
    if (argument === undefined) throw new Error('The document has no argument.');
    const size = compileInputCost(cost, argument.value);
    const amount = (values: SwapRemoveList): number => (typeof size === 'function' ? size(values) : size);
    expect(amount({ valueOf: {} })).toBe(1);
    expect(amount({})).toBe(0);
  });
});

function argumentsOf(text: string) {
  const [definition] = parse(text).definitions;
  const [field] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  return field?.kind === Kind.FIELD ? (field.arguments ?? []) : [];
}

describe('point 03: REST with names of inherited object members', () => {
  const schema = buildSchema(SDL);
  let directory: string;
  let client: HttpClient;
  const server = createServer();

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-names-'));
    const declared = NAMES.map((name) => `$${name}: String @in(query: "${name}")`).join(' ');
    const query = `query GetThing(${declared}, $header: String @in(header: "constructor"), $kind: Kind @in(query: "kind")) @endpoint(method: GET, path: "/things") {
      thing(${each((name) => `${name}: $${name}`)} given: { constructor: $header kind: $kind }) @result { ${each((name) => name)} kind }
    }`;
    const mutation = `mutation MakeThing($given: Given! @body) @endpoint(method: POST, path: "/things", status: 200) { make(given: $given) @result ${FIELDS} }`;
    await writeFile(join(directory, 'things.graphql'), `"Read it"\n${query}\n"Make it"\n${mutation}\n`);
    const facade = createRestFacade({
      documents: directory,
      schema,
      execute: ({ document, variables }) => execute({ schema, document, variableValues: bare(variables), rootValue: root }),
    });
    server.on('request', (request, response) => facade(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = createHttpClient({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });

  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  it('leaves parameters and headers absent that are not sent', async () => {
    const { status, body } = await client.get('/things');
    expect({ status, body }).toEqual({ status: 200, body: { ...none, kind: null } });
  });

  it('passes parameters and enum values that are sent', async () => {
    const { status, body } = await client.get('/things?toString=a&valueOf=b&hasOwnProperty=c&kind=constructor');
    expect({ status, body }).toEqual({
      status: 200,
      body: { constructor: null, toString: 'a', valueOf: 'b', hasOwnProperty: 'c', kind: 'constructor' },
    });
  });

  it('leaves body members absent that are not sent, and passes others', async () => {
    const empty = await client.post('/things', {});
    expect({ status: empty.status, body: empty.body }).toEqual({ status: 200, body: none });
    const full = await client.post('/things', all);
    expect({ status: full.status, body: full.body }).toEqual({ status: 200, body: all });
  });
});
