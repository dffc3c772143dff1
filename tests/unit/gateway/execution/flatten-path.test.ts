import { describe, expect, it } from '@jest/globals';
import { FieldFailure } from '../../../../gateway/execution/field-failure.ts';
import { collectTargets, compileFlattenPath, visitTargets } from '../../../../gateway/execution/flatten-path.ts';

const a = { __typename: 'A', n: 1 };
const b = { __typename: 'B', n: 2 };

function positions(data: Record<string, unknown>, path: readonly string[]): readonly string[] {
  const found: string[] = [];
  visitTargets(data, compileFlattenPath(path), (_target, position) => found.push(position.join('.')));
  return found;
}

describe('given a path into a response', () => {
  it.each([
    [['items', '@'], { items: {} }],
    [['items'], { items: [a] }],
    [['items', 'inner'], { items: 'text' }],
    [['items', '@', 'inner'], { items: [null, 1, { inner: null }] }],
    [['items'], { items: new FieldFailure([]) }],
    [['items', '@'], { items: new FieldFailure([]) }],
    [['constructor'], {}],
  ])('when %j meets something of another shape, then it leads nowhere', (path, data) => {
    expect(collectTargets(data, compileFlattenPath(path))).toEqual([]);
    expect(positions(data, path)).toEqual([]);
  });

  it('when it goes through lists of lists, then all objects are found in order, with their places', () => {
    const data = { grid: [[a, null], null, [b]] };
    expect(collectTargets(data, compileFlattenPath(['grid', '@', '@']))).toEqual([a, b]);
    expect(positions(data, ['grid', '@', '@'])).toEqual(['grid.0.0', 'grid.2.0']);
  });

  it.each([[['items', '@|[B]']], [['', 'items', '@|[B,C]']]])(
    'when %j has a condition on types, then only objects of those are found',
    (path) => {
      const data = { items: [a, b] };
      expect(collectTargets(data, compileFlattenPath(path))).toEqual([b]);
      expect(positions(data, path)).toEqual(['items.1']);
    },
  );

  it('when it is empty, then it leads to the root', () => {
    expect(collectTargets(a, compileFlattenPath([]))).toEqual([a]);
  });
});
