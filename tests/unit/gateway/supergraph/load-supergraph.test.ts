import { describe, expect, it } from '@jest/globals';
import { printSchema } from 'graphql';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { SupergraphInvalid } from '../../../../gateway/supergraph/supergraph-invalid.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { loadStorefront, storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

function messageOf(sdl: string): string {
  try {
    loadSupergraph(sdl);
  } catch (error) {
    if (error instanceof SupergraphInvalid) return error.message;
    throw error;
  }
  throw new Error('it was loaded');
}

describe('loadSupergraph', () => {
  it('given an empty text, when loading, then it says that there is nothing to serve', () => {
    expect(messageOf('')).toMatch(/^The supergraph cannot be served: .*<EOF>/);
  });

  it('given a text that is not SDL, when loading, then it says where it stops making sense', () => {
    expect(messageOf('type Query {\n  a: : Int\n}')).toMatch(/Expected Name, found ":".*\(line 2, column 6\)/);
  });

  it('given the SDL of a subgraph, when loading, then it says that this is no supergraph', () => {
    expect(messageOf('type Query { a: Int }')).toContain('does not link the join specification');
  });

  it('given a feature for security that is not supported, when loading, then it is refused by name', () => {
    const sdl = storefrontSdl().replace('schema\n', 'schema\n  @link(url: "https://example.com/vault/v1.0", for: SECURITY)\n');
    expect(messageOf(sdl)).toContain('https://example.com/vault/v1.0, which cannot be ignored because it is marked "for: SECURITY"');
  });

  it('given a type that nobody defines, when loading, then it is told with its place', () => {
    const sdl = storefrontSdl().replace('name: String!', 'name: Nothing!');
    expect(messageOf(sdl)).toMatch(/Unknown type "Nothing"\..*\(line \d+, column \d+\)/);
  });

  it('given features that a link has renamed, when loading and planning, then all is as it was under their own names', () => {
    const renamed = storefrontSdl()
      .replace(/(@link\(url: "https:\/\/specs\.apollo\.dev\/join\/v[\d.]+",)/, '$1 as: "j",')
      .replaceAll('join__', 'j__');
    expect(printSchema(loadSupergraph(renamed).schema)).toBe(printSchema(loadStorefront().schema));
    const input = { document: '{ me { id } product(upc: "1") { upc reviews { body author { id } } } }', conditions: {}, labels: [] };
    expect(createQueryPlanner(renamed).plan(input)).toEqual(createQueryPlanner(storefrontSdl()).plan(input));
  });

  it('given a key that cannot be read, when loading, then it is told', () => {
    expect(messageOf(storefrontSdl().replace('key: "id"', 'key: "id {"'))).toMatch(/^The supergraph cannot be served: Syntax Error/);
  });

  it('given everything hidden that queries start from, when loading, then it says that nothing is left', () => {
    const sdl = storefrontSdl().replace(/type Query\b/, 'type Query @inaccessible');
    expect(messageOf(sdl)).toContain('Query root type must be provided');
  });

  it('given a supergraph, when loading, then the subgraphs are known by name and address', () => {
    const { subgraphs } = loadStorefront({ accounts: 'http://127.0.0.1:4101/graphql' });
    expect([...subgraphs.keys()]).toEqual(['accounts', 'products', 'reviews']);
    expect(subgraphs.get('accounts')).toEqual({ name: 'accounts', url: 'http://127.0.0.1:4101/graphql' });
  });

  it('given a supergraph, when loading, then the public schema has no federation internals and nothing inaccessible', () => {
    const { schema } = loadStorefront();
    const account = schema.getType('Account');
    expect(account?.toString()).toBe('Account');
    expect(Object.keys(schema.getTypeMap()).filter((name) => /^(join__|link__|_)(?!_)/.test(name))).toEqual([]);
    expect(JSON.stringify(schema.getType('Account')?.toConfig())).not.toContain('ledger');
  });

  it('given the same text twice, when loading, then the id is the same; another text has another', () => {
    const [first, second] = [loadStorefront(), loadStorefront()];
    expect(first.id).toMatch(/^[0-9a-f]{16}$/);
    expect(second.id).toBe(first.id);
    expect(loadStorefront({ accounts: 'http://elsewhere.invalid' }).id).not.toBe(first.id);
  });
});
