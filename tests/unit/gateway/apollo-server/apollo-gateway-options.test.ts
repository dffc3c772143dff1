import { describe, expect, it } from '@jest/globals';
import { type ApolloGatewayOptions, createApolloGateway } from '../../../../gateway/apollo-server/index.ts';

/** The options are rejected before the supergraph is read. */
const SDL = 'type Query { a: Int }';

describe('options of createApolloGateway', () => {
  it('rejects unsupported options by name and describes the alternative', () => {
    const options = { supergraphSdl: SDL, serviceList: [], queryPlannerConfig: {}, fetcher: fetch, nonsense: 1 };
    const attempt = () => createApolloGateway(options);
    expect(attempt).toThrow(/serviceList: pass a manager: supergraphSdl: new IntrospectAndCompose/);
    expect(attempt).toThrow(/queryPlannerConfig: remove it/);
    expect(attempt).toThrow(/fetcher: give it to the data source that buildService makes/);
    expect(attempt).toThrow(/nonsense: this option does not exist/);
  });

  it('explains `supergraphSdl` and Uplink when no supergraph is given', () => {
    expect(() => createApolloGateway({} as ApolloGatewayOptions)).toThrow(/supergraphSdl: it is missing.*UplinkSupergraphManager/);
  });

  it('reports an invalid setting with its path', () => {
    const attempt = () => createApolloGateway({ supergraphSdl: SDL, limits: { maxDepth: 0 } });
    expect(attempt).toThrow(/limits\.maxDepth/);
  });
});
