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
    'given the address "%s", when resolving, then it is refused with the keys that set it and without the address',
    (url) => {
      expect(() => targetOf(url)).toThrow(
        'These subgraphs have no valid address. Expected an http or https URL without credentials:\n' +
          '  user-data: set subgraphs.override.user-data.url or SUBGRAPH_USER_DATA_URL.',
      );
    },
  );

  it('given several subgraphs without addresses, when resolving, then all are named at once', () => {
    const subgraphs = new Map(['a', 'b.c', 'd'].map((name) => [name, { name, url: name === 'd' ? 'http://d.invalid/' : '' }]));
    expect(() => resolveTargets(subgraphs, {})).toThrow(/a: set .*SUBGRAPH_A_URL.\n {2}b\.c: set .*SUBGRAPH_B_C_URL\.$/);
  });

  it('given an address with path and query, when resolving, then both are kept', () => {
    expect(targetOf('https://a.invalid:8443/v1/graphql?graph=main#top')).toEqual({
      name: 'user-data',
      origin: 'https://a.invalid:8443',
      path: '/v1/graphql?graph=main',
    });
  });

  it('given an address in the settings, when resolving, then the supergraph’s own is not looked at', () => {
    expect(targetOf('', 'http://b.invalid/graphql')?.origin).toBe('http://b.invalid');
  });
});
