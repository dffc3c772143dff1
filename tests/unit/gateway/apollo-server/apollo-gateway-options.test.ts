import { describe, expect, it } from '@jest/globals';
import { type ApolloGatewayOptions, createApolloGateway } from '../../../../gateway/apollo-server/index.ts';

/** Nothing here comes so far as to read it. */
const SDL = 'type Query { a: Int }';

describe('options of createApolloGateway', () => {
  it('given options that mean nothing here, when creating, then each is refused by name with what to write instead', () => {
    const options = { supergraphSdl: SDL, serviceList: [], queryPlannerConfig: {}, fetcher: fetch, nonsense: 1 };
    const attempt = () => createApolloGateway(options);
    expect(attempt).toThrow(/serviceList: pass a manager: supergraphSdl: new IntrospectAndCompose/);
    expect(attempt).toThrow(/queryPlannerConfig: remove it/);
    expect(attempt).toThrow(/fetcher: give it to the data source that buildService makes/);
    expect(attempt).toThrow(/nonsense: this option does not exist/);
  });

  it('given no supergraph, when creating, then it says what to give and how Uplink is used', () => {
    expect(() => createApolloGateway({} as ApolloGatewayOptions)).toThrow(/supergraphSdl: it is missing.*UplinkSupergraphManager/);
  });

  it('given a setting with a mistake, when creating, then it is told by its path', () => {
    const attempt = () => createApolloGateway({ supergraphSdl: SDL, limits: { maxDepth: 0 } });
    expect(attempt).toThrow(/limits\.maxDepth/);
  });
});
