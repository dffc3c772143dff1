import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import { coalescingOf } from '../../../../gateway/generation/coalescing-of.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { composeConnected } from '../../../support/connectors/expand-composed.ts';

describe('coalescingOf', () => {
  it('applies the setting of a subgraph to its connectors', () => {
    const con =
      'type Query { a: Int @connect(http: { GET: "http://a" }, selection: "$") b: Int @connect(http: { GET: "http://b" }, selection: "$") }';
    const { connectors } = loadSupergraph(print(composeConnected({ con })));
    const { subgraphs } = resolveGatewayConfig({ subgraphs: { override: { con: { coalesce: false } } } });
    expect(coalescingOf({ subgraphs }, connectors)).toEqual({
      byDefault: true,
      bySubgraph: { con: false, 'con:Query.a': false, 'con:Query.b': false },
    });
  });
});
