import { eq } from 'drizzle-orm';
import { requireUserId } from '../kit/access-rules.ts';
import type { Sql } from '../kit/database/database.ts';
import { isRowId } from '../kit/ids.ts';
import { refusal } from '../kit/refusal.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteOutcome, performWrite } from '../kit/writes/perform-write.ts';
import { WriteRefused, writeRefused } from '../kit/writes/user-errors.ts';
import { COMMENT_ADDED, POST_CREATED } from './post-events.ts';
import { type PostContent, findCommentProblems, findPostProblems } from './post-input.ts';
import { type CommentRow, type PostRow, comments, posts, userDirectory } from './tables.ts';

/**
 * Publishes a post by the caller.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function createPost(
  context: RequestContext,
  content: PostContent,
  idempotencyKey?: string | null,
): Promise<WriteOutcome<PostRow>> {
  const authorId = requireUserId(context);
  return performWrite(context, {
    operation: 'createPost',
    input: content,
    idempotencyKey,
    async effect({ sql, now, emit }) {
      await checkAuthor(sql, authorId);
      const problems = findPostProblems(content);
      if (problems.length > 0) throw new WriteRefused(problems);
      const row = { ...content, title: content.title.trim(), tags: [...content.tags], authorId, createdAt: now, updatedAt: now };
      const [post] = await sql.insert(posts).values(row).returning();
      if (post === undefined) throw new Error('The insert gave back no row.');
      emit(POST_CREATED, { postId: post.id });
      return post;
    },
  });
}

/**
 * Comments on a post as the caller.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function addComment(
  context: RequestContext,
  { postId, body }: { readonly postId: string; readonly body: string },
  idempotencyKey?: string | null,
): Promise<WriteOutcome<CommentRow>> {
  const authorId = requireUserId(context);
  return performWrite(context, {
    operation: 'addComment',
    input: { postId, body },
    idempotencyKey,
    async effect({ sql, now, emit }) {
      await checkAuthor(sql, authorId);
      const problems = findCommentProblems(body);
      if (problems.length > 0) throw new WriteRefused(problems);
      const [post] = isRowId(postId) ? await sql.select({ id: posts.id }).from(posts).where(eq(posts.id, postId)) : [];
      if (post === undefined) throw writeRefused('NOT_FOUND', 'input.postId', 'There is no post with this id.');
      const row = { postId, body, authorId, createdAt: now, updatedAt: now };
      const [comment] = await sql.insert(comments).values(row).returning();
      if (comment === undefined) throw new Error('The insert gave back no row.');
      emit(COMMENT_ADDED, { commentId: comment.id, postId });
      return comment;
    },
  });
}

/** A token outlives the user it was made for; what a removed user writes would have no author. */
async function checkAuthor(sql: Sql, authorId: string): Promise<void> {
  const known = await sql.select({ id: userDirectory.id }).from(userDirectory).where(eq(userDirectory.id, authorId));
  if (known.length === 0) throw refusal('FORBIDDEN', 'Only users of this service may do this.');
}
