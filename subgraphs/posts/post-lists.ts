import { type SQL, and, arrayContains, eq, sql as raw } from 'drizzle-orm';
import { isRowId } from '../kit/ids.ts';
import { rowsById } from '../kit/loaders.ts';
import { defineChildConnection, defineConnection } from '../kit/pagination/connection.ts';
import { isStorable } from '../kit/storable-text.ts';
import { comments, posts } from './tables.ts';

/** Filter of a list of posts. */
export interface PostFilter {
  readonly authorId?: string | null;
  readonly tag?: string | null;
}

export const postsById = rowsById(posts, posts.id);
export const commentsById = rowsById(comments, comments.id);

export const postList = defineConnection({
  table: posts,
  id: posts.id,
  sortable: { ID: posts.id, TITLE: posts.title, CREATED_AT: posts.createdAt },
  where: (filter: PostFilter | null | undefined) => and(isBy(filter?.authorId), isTagged(filter?.tag)),
});

/** Comments of a post, oldest first. */
export const commentList = defineChildConnection({ table: comments, id: comments.id, sortable: {}, parent: comments.postId });

/** Source of the plain list of a user's posts. */
export const postsByAuthor = { table: posts, id: posts.id, parent: posts.authorId };

function isBy(authorId: string | null | undefined): SQL | undefined {
  if (authorId === null || authorId === undefined) return undefined;
  return isRowId(authorId) ? eq(posts.authorId, authorId) : raw`false`;
}

function isTagged(tag: string | null | undefined): SQL | undefined {
  if (tag === null || tag === undefined) return undefined;
  return isStorable(tag) ? arrayContains(posts.tags, [tag]) : raw`false`;
}
