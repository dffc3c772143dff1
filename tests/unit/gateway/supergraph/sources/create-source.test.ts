import { describe, expect, it } from '@jest/globals';
import { gatewayConfig } from '../../../../../gateway/config/sections.ts';
import { createSource, requireOneSource } from '../../../../../gateway/supergraph/sources/create-source.ts';

const read = (supergraph: object) => gatewayConfig.parse({ supergraph }).supergraph;

const UPLINK = { uplink: { key: 'k', graphRef: 'library@current' } };

describe('requireOneSource', () => {
  it.each([
    [{}, 'no supergraph is configured'],
    [{ uplink: { key: 'k' } }, 'no supergraph is configured'],
    [{ file: 'a', sdl: 'b' }, ': file, sdl'],
    [{ url: 'http://a.example/', subgraphs: {} }, ': url, subgraphs'],
  ])('reports the mistake in %j', (section, message) => {
    expect(() => requireOneSource(read(section))).toThrow(message);
  });

  it.each([[{ file: 'a', ...UPLINK }], [UPLINK], [{ sdl: 'a' }], [{ url: 'https://a.example/' }], [{ subgraphs: {} }]])(
    'accepts the single source in %j',
    (section) => {
      expect(() => requireOneSource(read(section))).not.toThrow();
    },
  );
});

describe('createSource', () => {
  it.each([
    [{ file: '/etc/graph.graphql', ...UPLINK }, 'the file /etc/graph.graphql', true],
    [{ sdl: 'type Query' }, 'the configuration', true],
    [{ url: 'https://a.example/graph?key=k' }, 'the address https://a.example/graph', false],
    [{ subgraphs: { users: { url: 'http://u.example/' } } }, 'the subgraphs users', false],
    [{ subgraphs: { users: { url: 'http://u.example/', files: ['u.graphql', 'shared.graphql'] } } }, 'the subgraphs users', true],
    [UPLINK, 'the graph library@current of Uplink', false],
  ])('creates the source that %j configures', async (section, name, isLocal) => {
    await using source = createSource({ ...read(section), pollIntervalMs: 10_000 }, { override: {} });
    expect(source).toMatchObject({ name, isLocal });
  });
});
