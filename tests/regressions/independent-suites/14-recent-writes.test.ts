import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { createRecentWrites } from '../../../gateway/cache/recent-writes.ts';
import { createWrittenLabels } from '../../../gateway/cache/written-labels.ts';

describe('point 14: recorded writes of callers', () => {
  it('never allow stale reads and stay bounded, regardless of the number of callers', async () => {
    let now = 0;
    const bookmarks = createRecentWrites({ maxCallers: 10, clock: { monotonic: () => now } });
    for (let caller = 0; caller < 1_000; caller += 1) {
      now += 1;
      bookmarks.note(`caller ${caller}`, ['type Page']);
    }
    for (let caller = 0; caller < 1_000; caller += 1) {
      expect(bookmarks.of(`caller ${caller}`)?.isOutdated(['type Page'], caller + 1)).toBe(true);
    }
    expect(bookmarks.of('caller 999')?.isOutdated(['type Other'], 999)).toBe(false);
    expect(bookmarks.of('caller 999')?.isOutdated(['type Page'], 1_001)).toBe(false);
  });
});

describe('point 14: types that a mutation may change', () => {
  const labelsOf = createWrittenLabels(
    buildSchema(`
      interface Node { id: ID! }
      type Query { users: UserConnection posts: [Post!]! }
      type Mutation { deleteUser(id: ID!): Payload! }
      type Payload { user: User errors: [Fault!]! }
      type Fault { message: String! }
      type UserConnection { edges: [UserEdge!]! totalCount: Int! }
      type UserEdge { node: User! }
      type User implements Node { id: ID! posts: [Post!]! }
      type Post { id: ID! author: User! }
    `),
  );

  it('include the type in the payload, even if not selected, and its connections', () => {
    const labels = labelsOf(parse('mutation { deleteUser(id: 1) { errors { message } } }'));
    expect(labels).toEqual(expect.arrayContaining(['type User', 'type UserConnection']));
    expect(labels).not.toContain('type Post');
  });
});
