import { describe, expect, it } from '@jest/globals';
import { listDevSubgraphs } from '../../../../cli/dev/dev-subgraph.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';

describe('--mock', () => {
  const config = resolveGatewayConfig({
    profile: 'dev',
    supergraph: {
      subgraphs: { films: { url: 'http://films' }, actors: { url: 'http://actors' }, reviews: { files: ['reviews.graphql'] } },
    },
    subgraphs: { override: { films: { url: 'http://localhost:5010' } } },
  });
  const modes = (mock: Parameters<typeof listDevSubgraphs>[1]) => listDevSubgraphs(config, mock).map((subgraph) => subgraph.mock);

  it('rejects a subgraph that does not exist, with a suggestion', () => {
    expect(() => modes(['flims'])).toThrow('--mock names the subgraph "flims", which does not exist. Did you mean films?');
    expect(() => modes(['zzz'])).toThrow('Known subgraphs: films, actors, reviews.');
  });

  it.each([
    ['is absent', undefined, ['never', 'never', 'always']],
    ['has no names', true, ['when-absent', 'when-absent', 'always']],
    ['has names', ['films,reviews'], ['always', 'never', 'always']],
  ] as const)('always mocks a subgraph without a URL, if it %s', (_name, mock, expected) => {
    expect(modes(mock)).toEqual(expected);
  });

  it('uses the address of subgraphs.override', () => {
    expect(listDevSubgraphs(config, undefined)[0]?.url).toBe('http://localhost:5010');
  });
});
