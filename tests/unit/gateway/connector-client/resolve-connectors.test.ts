import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { clientDependenceOf } from '../../../../gateway/connector-client/open-connectors.ts';
import { resolveConnectors } from '../../../../gateway/connector-client/resolve-connectors.ts';
import { connectors } from '../../../../gateway/config/sections/connectors.ts';
import { readConnectorsOfSubgraph } from '../../../../gateway/connectors/definition/read-connectors.ts';
import type { VirtualSubgraph } from '../../../../gateway/connectors/expand/virtual-subgraph.ts';

/** Resolves the connectors of one subgraph with a source `api`. */
function resolve(fields: string, config: object = {}, environment: Readonly<Record<string, string>> = {}, baseUrl = 'http://api.test/v1') {
  const document = parse(`
    extend schema
      @link(url: "https://specs.apollo.dev/federation/v2.11")
      @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
      @source(name: "api", http: { baseURL: "${baseUrl}" })
    type Query { ${fields} }
  `);
  const virtual = new Map(
    readConnectorsOfSubgraph('order-items', document).map((connector) => {
      const name = `order-items:Query.${connector.field}`;
      return [name, { name, connector, entry: 'root', keys: [] } satisfies VirtualSubgraph] as const;
    }),
  );
  return resolveConnectors(virtual, connectors.parse(config), environment);
}

const A = 'a: String @connect(source: "api", http: { GET: "/a" }, selection: "$.a")';
const B = 'b: String @connect(http: { GET: "https://other.test:8080/b" }, selection: "$.b")';

const originsOf = (resolved: ReturnType<typeof resolve>) => Object.fromEntries(resolved.sources.get('order-items')?.origins ?? []);

describe('resolveConnectors', () => {
  it.each([
    [
      'an unknown subgraph',
      { subgraphs: { other: {} } },
      'connectors.subgraphs.other: no subgraph of this name has connectors. Expected one of: order-items.',
    ],
    [
      'an unknown source',
      { subgraphs: { 'order-items': { sources: { wrong: {} } } } },
      'connectors.subgraphs.order-items.sources.wrong: the subgraph has no such source. Expected one of: api.',
    ],
  ])('names %s, and what was expected', (_what, config, message) => {
    expect(() => resolve(A, config)).toThrow(message);
  });

  it('names the setting for a source whose URL needs a missing variable, without values', () => {
    const config = { env: ['API_HOST'] };
    const url = 'http://{$env.API_HOST}/v1';
    expect(() => resolve(A, config, {}, url)).toThrow('connectors.subgraphs.order-items.sources.api.baseUrl');
    expect(originsOf(resolve(A, config, { API_HOST: 'api.internal:81' }, url))).toEqual({ api: 'http://api.internal:81' });
    expect(() => resolve(A, {}, { API_HOST: 'api.internal' }, url)).toThrow('has no valid http or https URL');
  });

  it('names a connector without a source by its origin', () => {
    expect(originsOf(resolve(A + B))).toEqual({ api: 'http://api.test', 'https://other.test:8080': 'https://other.test:8080' });
  });

  it('applies settings whose names come from environment variables', () => {
    const { connectors: resolved, sources } = resolve(A, {
      maxRequestsPerOperation: 7,
      subgraphs: {
        order_items: { config: { a: 1, b: 1 }, sendIdentity: true, sources: { API: { baseUrl: 'http://new.test/v2', config: { b: 2 } } } },
      },
    });
    const [connector] = resolved.values();
    expect(connector).toMatchObject({
      source: { name: 'api', origin: 'http://new.test' },
      fixed: { config: { a: 1, b: 2 } },
      limit: { max: 7 },
    });
    expect(sources.get('order-items')?.sendsIdentity).toBe(true);
  });
});

describe('the dependence of connectors on the client', () => {
  it('consists of copied headers, and of headers that mappings read by name', () => {
    const fields = `
      a: String @connect(source: "api", http: { GET: "/a?t={$request.headers.'X-Tenant'->first}", headers: [{ name: "x-b", from: "X-Copied" }] }, selection: "$.a")
      c: String @connect(source: "api", http: { GET: "/c" }, selection: "$context.plan")
      d: String @connect(source: "api", http: { POST: "/d", body: "all: $request.headers->jsonStringify" }, selection: "$.d")
    `;
    expect(clientDependenceOf(resolve(fields))).toEqual({ headers: ['x-copied', 'x-tenant'], uncacheable: ['Query.c', 'Query.d'] });
  });
});
