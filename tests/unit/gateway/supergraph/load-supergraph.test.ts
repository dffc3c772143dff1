import { describe, expect, it } from '@jest/globals';
import { printSchema } from 'graphql';
import { buildFederation } from '../../../differential/federation/build-federation.ts';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { SupergraphInvalid } from '../../../../gateway/supergraph/supergraph-invalid.ts';
import { runSteps } from '../../../../gateway/platform/run-steps.ts';
import { loadSupergraph, loadSupergraphInSteps, loadSupergraphWithPositions } from '../../../../gateway/supergraph/load-supergraph.ts';
import { loadStorefront, storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

function messageOf(sdl: string): string {
  try {
    loadSupergraph(sdl);
  } catch (error) {
    if (error instanceof SupergraphInvalid) return error.message;
    throw error;
  }
  throw new Error('The supergraph was loaded.');
}

describe('loadSupergraph', () => {
  it('rejects an empty text', () => {
    expect(messageOf('')).toMatch(/^The supergraph cannot be served: .*<EOF>/);
  });

  it('reports the location of a syntax error', () => {
    expect(messageOf('type Query {\n  a: : Int\n}')).toMatch(/Expected Name, found ":".*\(line 2, column 6\)/);
  });

  it('reports that the SDL of a subgraph is not a supergraph', () => {
    expect(messageOf('type Query { a: Int }')).toContain('does not link the join specification');
  });

  it('names an unsupported security feature', () => {
    const sdl = storefrontSdl().replace('schema\n', 'schema\n  @link(url: "https://example.com/vault/v1.0", for: SECURITY)\n');
    expect(messageOf(sdl)).toContain('https://example.com/vault/v1.0, which cannot be ignored because it is marked "for: SECURITY"');
  });

  it('reports the location of an undefined type', () => {
    const sdl = storefrontSdl().replace('name: String!', 'name: Nothing!');
    expect(messageOf(sdl)).toMatch(/Unknown type "Nothing"\..*\(line \d+, column \d+\)/);
  });

  it('loads and plans renamed features like features with their own names', () => {
    const renamed = storefrontSdl()
      .replace(/(@link\(url: "https:\/\/specs\.apollo\.dev\/join\/v[\d.]+",)/, '$1 as: "j",')
      .replaceAll('join__', 'j__');
    expect(printSchema(loadSupergraph(renamed).schema)).toBe(printSchema(loadStorefront().schema));
    const input = { document: '{ me { id } product(upc: "1") { upc reviews { body author { id } } } }', conditions: {}, labels: [] };
    expect(createQueryPlanner(renamed).plan(input)).toEqual(createQueryPlanner(storefrontSdl()).plan(input));
  });

  /** Applies a directive without a link to a field. */
  const withUnlinked = (definition: string, use: string): string =>
    `${storefrontSdl().replace('\n  name: String!', `\n  name: String! ${use}`)}\n${definition}\n`;

  it.each([
    ['@guard(requires:)', 'directive @guard(requires: Int) on FIELD_DEFINITION', '@guard(requires: 1)'],
    ['@guard(scopes:)', 'directive @guard(scopes: [[String!]!]!) on FIELD_DEFINITION | OBJECT', '@guard(scopes: [["a"]])'],
    ['@guard(policies:)', 'directive @guard(policies: [[String!]!]!) on FIELD_DEFINITION', '@guard(policies: [["a"]])'],
    ['@guard like @cost', 'directive @guard(weight: Int!) on FIELD_DEFINITION', '@guard(weight: 2)'],
    ['@guard like @listSize', 'directive @guard(assumedSize: Int) on FIELD_DEFINITION', '@guard(assumedSize: 2)'],
    ['@guard like @authenticated', 'directive @guard on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM', '@guard'],
  ])('rejects a directive without a link that is defined like a known one: %s', (_title, definition, use) => {
    expect(messageOf(withUnlinked(definition, use))).toMatch(/has @guard \(line \d+\), .* defined like a directive of the gateway/);
  });

  it.each([
    ['@tag', 'directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT', '@tag(name: "a")'],
    ['@beta without arguments', 'directive @beta on FIELD_DEFINITION', '@beta'],
    ['@feature', 'directive @feature(name: String!) on FIELD_DEFINITION', '@feature(name: "a")'],
  ])('loads a supergraph with a directive without a link that is no rule: %s', (_title, definition, use) => {
    expect(() => loadSupergraph(withUnlinked(definition, use))).not.toThrow();
  });

  it('rejects a key with a syntax error', () => {
    expect(messageOf(storefrontSdl().replace('key: "id"', 'key: "id {"'))).toMatch(/^The supergraph cannot be served: Syntax Error/);
  });

  it('rejects a supergraph whose query type is inaccessible', () => {
    const sdl = storefrontSdl().replace(/type Query\b/, 'type Query @inaccessible');
    expect(messageOf(sdl)).toContain('Query root type must be provided');
  });

  it('returns the subgraphs by name with their URLs', () => {
    const { subgraphs } = loadStorefront({ accounts: 'http://127.0.0.1:4101/graphql' });
    expect([...subgraphs.keys()]).toEqual(['accounts', 'products', 'reviews']);
    expect(subgraphs.get('accounts')).toEqual({ name: 'accounts', url: 'http://127.0.0.1:4101/graphql' });
  });

  it('excludes federation internals and inaccessible elements from the public schema', () => {
    const { schema } = loadStorefront();
    const account = schema.getType('Account');
    expect(account?.toString()).toBe('Account');
    expect(Object.keys(schema.getTypeMap()).filter((name) => /^(join__|link__|_)(?!_)/.test(name))).toEqual([]);
    expect(JSON.stringify(schema.getType('Account')?.toConfig())).not.toContain('ledger');
  });

  it('returns the same id for the same text and another id for another text', () => {
    const [first, second] = [loadStorefront(), loadStorefront()];
    expect(first.id).toMatch(/^[0-9a-f]{16}$/);
    expect(second.id).toBe(first.id);
    expect(loadStorefront({ accounts: 'http://elsewhere.invalid' }).id).not.toBe(first.id);
  });
});

describe('loadSupergraphInSteps', () => {
  it.each([
    ['an undefined type', 'name: Nothing!', 'Unknown type "Nothing"'],
    ['a type with two equal fields', 'name: String! name: String!', 'can only be defined once'],
    ['an interface whose field is missing', '', 'Interface field'],
  ])('leaves the rejection of %s to the validation', (_name, replacement, message) => {
    const sdl =
      replacement === ''
        ? `${storefrontSdl()}\ninterface Named @join__type(graph: REVIEWS) { title: Int }\ntype Other implements Named @join__type(graph: REVIEWS) { id: Int }\n`
        : storefrontSdl().replace('name: String!', replacement);
    expect(() => loadSupergraphWithPositions(sdl)).toThrow(message);
    expect(messageOf(sdl)).toContain(message);
  });

  it.each([
    ['the storefront', storefrontSdl()],
    ['the difficult graph', buildFederation().supergraphSdl],
  ])('loads %s like loadSupergraph', (_name, sdl) => {
    const [inSteps, atOnce] = [runSteps(loadSupergraphInSteps(sdl)), loadSupergraph(sdl)];
    expect(printSchema(inSteps.schema)).toBe(printSchema(atOnce.schema));
    expect({ ...inSteps, schema: undefined }).toEqual({ ...atOnce, schema: undefined });
  });
});
