import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { labelOfType } from '../../../../gateway/cache/labeled-entries.ts';
import { EVERYTHING } from '../../../../gateway/cache/recent-writes.ts';
import { createWrittenLabels } from '../../../../gateway/cache/written-labels.ts';

const labelsOf = createWrittenLabels(
  buildSchema(`
    type Query { book(id: ID!): Book books: Books }
    type Book { id: ID! title: String }
    type Books { nodes: [Book!]! }
    type Problem { message: String }
    type Deletion { isDeleted: Boolean problems: [Problem!] }
    type Change { book: Book problems: [Problem!] }
    type Mutation { touch: Boolean remove(id: ID!): Deletion change(id: ID!): Change create: Book }
  `),
);
const written = (mutation: string): readonly string[] => labelsOf(parse(mutation)).toSorted();

describe('createWrittenLabels', () => {
  it.each(['mutation { touch }', 'mutation { remove(id: 1) { isDeleted } }', 'mutation { remove(id: 1) { problems { message } } }'])(
    'lists everything for a payload without an object that has an id: %s',
    (mutation) => {
      expect(written(mutation)).toEqual([EVERYTHING]);
    },
  );

  it('lists the objects of a payload, selected or not, and the types with lists of them', () => {
    // A deletion has a list of problems.
    const expected = ['Book', 'Books', 'Change', 'Deletion', 'Problem'].map(labelOfType);
    expect(written('mutation { change(id: 1) { problems { message } } }')).toEqual(expected);
    expect(written('mutation { create { title } }')).toEqual(['Book', 'Books'].map(labelOfType));
  });
});
