import { describe, expect, it } from '@jest/globals';
import { resolveTargets } from '../../../../gateway/subgraph-client/resolve-targets.ts';

function targetOf(url: string, override?: string) {
  return resolveTargets(
    new Map([['user-data', { name: 'user-data', url }]]),
    override === undefined ? {} : { 'user-data': { url: override } },
  ).get('user-data');
}

describe('resolveTargets', () => {
  it.each(['', 'accounts', 'ftp://accounts.invalid', 'http://', 'http://name:secret@accounts.invalid'])(
    'rejects the URL "%s" and names the keys that set it, but not the URL',
    (url) => {
      expect(() => targetOf(url)).toThrow(
        'These subgraphs have no valid address. Expected an http or https URL without credentials:\n' +
          '  user-data: set subgraphs.override.user-data.url or SUBGRAPH_USER_DATA_URL.',
      );
    },
  );

  it('names all subgraphs without a URL', () => {
    const subgraphs = new Map(['a', 'b.c', 'd'].map((name) => [name, { name, url: name === 'd' ? 'http://d.invalid/' : '' }]));
    expect(() => resolveTargets(subgraphs, {})).toThrow(/a: set .*SUBGRAPH_A_URL.\n {2}b\.c: set .*SUBGRAPH_B_C_URL\.$/);
  });

  it('retains path and query of a URL', () => {
    expect(targetOf('https://a.invalid:8443/v1/graphql?graph=main#top')).toEqual({
      name: 'user-data',
      origin: 'https://a.invalid:8443',
      path: '/v1/graphql?graph=main',
    });
  });

  it('ignores the URL of the supergraph if the settings have one', () => {
    expect(targetOf('', 'http://b.invalid/graphql')?.origin).toBe('http://b.invalid');
  });
});
