import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const run = scriptedGraph(
  buildSchema(`
    type Query { media: [Media] }
    interface Media { id: ID! title: String score: Int next: Media }
    type Film implements Media { id: ID! title: String score: Int next: Media length: Int }
    type Song implements Media { id: ID! title: String score: Int next: Media }
  `),
);
const MEDIA = root('scores', '{ media { __typename id score } }');
const media = [
  { __typename: 'Media', id: '1', score: 5 },
  { __typename: 'Media', id: '2', score: 6 },
];

describe('a subgraph that defines an interface as an object', () => {
  it('provides the fields that all implementations have', async () => {
    const text = '{ media { id ... on Film { id score } score ... on Song { score ... on Media { id } } } }';
    const result = await run('{ media { id score } }', planOf([MEDIA]), { scores: { data: { media } } });
    expect((await run(text, planOf([MEDIA]), { scores: { data: { media } } })).data).toBe(result.data);
    expect(dataOf(result)).toEqual({
      media: [
        { id: '1', score: 5 },
        { id: '2', score: 6 },
      ],
    });
    expect(result.errors).toEqual([]);
  });

  it('causes an error when the selection depends on the implementation', async () => {
    const result = await run('{ media { id ... on Film { length } } }', planOf([MEDIA]), { scores: { data: { media } } });
    expect(dataOf(result)).toEqual({ media: [null, null] });
    expect(errorsOf(result)).toEqual(['media.0 SUBGRAPH_INVALID_RESPONSE', 'media.1 SUBGRAPH_INVALID_RESPONSE']);
  });

  it('provides equivalent selections of all implementations, also nested ones', async () => {
    const text = '{ media { next { id score } ... on Film { next { id } next { ... on Song { score } } } } }';
    const next = { scores: { data: { media: [{ next: media[0] }] } } };
    expect(dataOf(await run(text, planOf([MEDIA]), next))).toEqual({ media: [{ next: { id: '1', score: 5 } }] });
    const other = '{ media { next { id } ... on Film { next { score } } } }';
    expect(errorsOf(await run(other, planOf([MEDIA]), next))).toEqual(['media.0 SUBGRAPH_INVALID_RESPONSE']);
  });

  it('causes a null with an error when `__typename` is selected', async () => {
    const result = await run('{ media { __typename } }', planOf([MEDIA]), { scores: { data: { media: [media[0]] } } });
    expect(dataOf(result)).toEqual({ media: [null] });
    expect(errorsOf(result)).toEqual(['media.0.__typename SUBGRAPH_INVALID_RESPONSE']);
  });

  it('does not replace the implementation that another subgraph returned', async () => {
    const plan = planOf([
      MEDIA,
      lookups('names', [0], [{ at: ['media'], by: ['Media'], request: '{ ...on Media { __typename title ...on Film { length } } }' }]),
      lookups('scores', [1], [{ at: ['media'], by: ['Film as Media', 'Song as Media'], request: '{ ...on Media { __typename score } }' }]),
    ]);
    const result = await run('{ media { __typename title score ... on Film { length } } }', plan, {
      scores: ({ query }: { query: string }) =>
        query.includes('_entities')
          ? { data: { _entities: [{ __typename: 'Media', score: 7 }, null] } }
          : { data: structuredClone({ media }) },
      names: {
        data: {
          _entities: [
            { __typename: 'Film', title: 'F', length: 3 },
            { __typename: 'Song', title: 'S' },
          ],
        },
      },
    });
    expect(dataOf(result)).toEqual({
      media: [
        { __typename: 'Film', title: 'F', score: 7, length: 3 },
        { __typename: 'Song', title: 'S', score: 6 },
      ],
    });
  });

  it('provides the fields of a single implementation', async () => {
    const alone = scriptedGraph(
      buildSchema('type Query { media: [Media] } interface Media { id: ID! } type Film implements Media { id: ID! length: Int }'),
    );
    const plan = planOf([root('scores', '{ media { id length } }')]);
    const result = await alone('{ media { __typename id ... on Film { length } } }', plan, {
      scores: { data: { media: [{ id: '1', length: 3 }] } },
    });
    expect(dataOf(result)).toEqual({ media: [{ __typename: 'Film', id: '1', length: 3 }] });
  });
});
