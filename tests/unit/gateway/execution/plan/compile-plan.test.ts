import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '../../../../../gateway/execution/plan/compile-plan.ts';
import type { PlannedFetch } from '../../../../../gateway/planning/operation-plan.ts';
import { type LookupText, lookups, planOf, root } from '../scripted-plan.ts';

const sharedIn = (...fetches: readonly PlannedFetch[]): readonly string[] =>
  [...compilePlan({ plan: planOf(fetches), isInterface: () => false, clientVariables: new Set() }).sharedPaths].sort();

const people = (at: readonly string[], request = 'name'): LookupText => ({
  at,
  by: ['Author'],
  request: `{ ...on Author { ${request} } }`,
});

describe('shared paths of a plan', () => {
  it.each<[string, readonly PlannedFetch[], readonly string[]]>([
    [
      'objects with only their key',
      [root('a', '{ books { author { __typename id } } }'), lookups('b', [0], [people(['books.author'])])],
      ['books/author'],
    ],
    [
      'nested objects with only their key',
      [
        root('a', '{ books { author { __typename id } } }'),
        lookups('b', [0], [people(['books.author'], 'home { id }')]),
        lookups('c', [1], [{ at: ['books.author.home'], by: ['*City'], request: '{ ...on City { name } }' }]),
      ],
      ['books/author', 'books/author/home'],
    ],
    [
      'objects with more fields than their representation',
      [root('a', '{ books { author { __typename id born } } }'), lookups('b', [0], [people(['books.author'])])],
      [],
    ],
    [
      'objects with fields from two responses',
      [
        root('a', '{ books { __typename id author { __typename id } } }'),
        lookups('b', [0], [{ at: ['books'], by: ['Book'], request: '{ ...on Book { author { born } } }' }, people(['books.author'])]),
      ],
      [],
    ],
    [
      'objects with a context argument',
      [
        root('a', '{ books { title author { __typename id } } }'),
        lookups(
          'b',
          [0],
          [{ ...people(['books.author']), context: [{ variable: 'v', type: 'Int', depth: 1, sources: [{ path: ['title'] }] }] }],
        ),
      ],
      [],
    ],
    [
      'objects at two paths of one response with the same lookup',
      [
        root('a', '{ best { __typename id } books { __typename id } }'),
        lookups('b', [0], [{ at: ['best', 'books'], by: ['Book'], request: '{ ...on Book { author { __typename id } } }' }]),
        lookups('c', [1], [people(['best.author', 'books.author'])]),
      ],
      ['best', 'best/author', 'books', 'books/author'],
    ],
    [
      'objects at two paths of one response with a lookup for one',
      [
        root('a', '{ best { __typename id } books { __typename id } }'),
        lookups('b', [0], [{ at: ['best', 'books'], by: ['Book'], request: '{ ...on Book { author { __typename id } } }' }]),
        lookups('c', [1], [people(['best.author'])]),
      ],
      ['best', 'books'],
    ],
  ])('are those of indistinguishable objects, for %s', (_what, fetches, expected) => {
    expect(sharedIn(...fetches)).toEqual(expected);
  });
});
