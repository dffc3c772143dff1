import { describe, expect, it } from '@jest/globals';
import { findCommentProblems, findPostProblems } from '../../../../subgraphs/posts/post-input.ts';
import { createPeopleRows } from '../../../../subgraphs/seed/people-rows.ts';
import { findUserProblems } from '../../../../subgraphs/users/user-input.ts';

const rows = createPeopleRows();
const at = (stamped: readonly { readonly id: number; readonly created_at: string }[]) =>
  new Map(stamped.map(({ id, created_at }) => [id, created_at]));

describe('the seed of users and posts', () => {
  it('has 200 users, 1,000 posts and 3,000 comments, identical in each run', () => {
    expect([rows.users.length, rows.posts.length, rows.comments.length]).toEqual([200, 1_000, 3_000]);
    expect(createPeopleRows()).toEqual(rows);
  });

  it('has rows that are valid inputs of the services', () => {
    expect(rows.users.flatMap((row) => findUserProblems(row, 'user'))).toEqual([]);
    expect(rows.posts.flatMap(findPostProblems)).toEqual([]);
    expect(rows.comments.flatMap(({ body }) => findCommentProblems(body))).toEqual([]);
    expect(JSON.stringify(rows)).not.toMatch(/\{subject\}|\{tag\}|undefined/);
    expect(new Set(rows.users.map(({ email }) => email.toLowerCase())).size).toBe(200);
  });

  it('has no post before its author registered, and no comment before its post', () => {
    const [users, posts] = [at(rows.users), at(rows.posts)];
    expect(rows.posts.filter(({ author_id, created_at }) => created_at <= (users.get(author_id) ?? '~'))).toEqual([]);
    expect(rows.comments.filter(({ author_id, created_at }) => created_at <= (users.get(author_id) ?? '~'))).toEqual([]);
    expect(rows.comments.filter(({ post_id, created_at }) => created_at <= (posts.get(post_id) ?? '~'))).toEqual([]);
  });

  it('has rows in the order of time', () => {
    for (const list of [rows.users, rows.posts, rows.comments]) {
      expect(list.filter(({ created_at }, index) => created_at <= (list[index - 1]?.created_at ?? ''))).toEqual([]);
    }
  });

  it('has at least ten posts of the first user', () => {
    expect(rows.posts.filter(({ author_id }) => author_id === 1).length).toBeGreaterThanOrEqual(10);
  });
});
