import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { subgraphValues } from '../../../cli/dev/supergraph-values.ts';
import { addSubgraphArgument, parseSubgraphArgument } from '../../../cli/subgraph-argument.ts';

describe('--subgraph', () => {
  it.each(['films', 'films=', '=http://localhost:5010', 'films=a.graphql,', 'films=a.graphql@http://', 'films=http://'])(
    'rejects %j with the expected form',
    (text) => {
      expect(() => parseSubgraphArgument(text)).toThrow(/name=FILE@URL, such as films=http:\/\/localhost:5010/);
    },
  );

  it('rejects a name that cannot be part of a variable, and a name that is used twice', () => {
    expect(() => parseSubgraphArgument('my films=http://localhost:5010')).toThrow('The name "my films" must begin with a letter');
    expect(() => addSubgraphArgument('films=b.graphql', [{ name: 'films' }])).toThrow('The subgraph films is named twice.');
  });

  it.each([
    ['films=http://localhost:5010', { url: 'http://localhost:5010' }],
    ['films=https://user@host/graphql?key=a=b', { url: 'https://user@host/graphql?key=a=b' }],
    ['films=./films.graphql', { files: ['./films.graphql'] }],
    ['films=a.graphql, b@2.graphql', { files: ['a.graphql', 'b@2.graphql'] }],
    ['films=a.graphql,b.graphql@http://localhost:5010', { files: ['a.graphql', 'b.graphql'], url: 'http://localhost:5010' }],
  ])('reads %j', (text, expected) => {
    expect(parseSubgraphArgument(text)).toEqual({ name: 'films', ...expected });
  });

  it('sets files with absolute paths, because settings have no working directory', () => {
    expect(subgraphValues([{ name: 'films', files: ['films.graphql'] }])).toContainEqual({
      name: '--subgraph',
      path: ['supergraph', 'subgraphs', 'films'],
      value: { files: [resolve('films.graphql')] },
    });
  });
});
