import { eq } from 'drizzle-orm';
import { requireUserId } from '../kit/access-rules.ts';
import { onlyRow } from '../kit/database/only-row.ts';
import { isRowId } from '../kit/ids.ts';
import { requireKnownUser } from '../kit/known-users.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteResult, performWrite } from '../kit/writes/perform-write.ts';
import { refuseIfAny, writeRejected } from '../kit/writes/user-errors.ts';
import { COMMENT_ADDED, POST_CREATED } from './post-events.ts';
import { type PostContent, findCommentProblems, findPostProblems } from './post-input.ts';
import { type CommentRow, type PostRow, comments, posts } from './tables.ts';

/**
 * Creates a post of the caller.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function createPost(
  context: RequestContext,
  content: PostContent,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<PostRow>> {
  const authorId = requireUserId(context);
  return performWrite(context, {
    once: { operation: 'createPost', input: content, key: idempotencyKey },
    async effect({ sql, now, emit }) {
      await requireKnownUser(sql, authorId);
      refuseIfAny(findPostProblems(content));
      const row = { ...content, title: content.title.trim(), tags: [...content.tags], authorId, createdAt: now, updatedAt: now };
      const post = onlyRow(await sql.insert(posts).values(row).returning());
      emit(POST_CREATED, { postId: post.id });
      return post;
    },
  });
}

/**
 * Adds a comment of the caller to a post.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function addComment(
  context: RequestContext,
  { postId, body }: { readonly postId: string; readonly body: string },
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<CommentRow>> {
  const authorId = requireUserId(context);
  return performWrite(context, {
    once: { operation: 'addComment', input: { postId, body }, key: idempotencyKey },
    async effect({ sql, now, emit }) {
      await requireKnownUser(sql, authorId);
      refuseIfAny(findCommentProblems(body));
      const [post] = isRowId(postId) ? await sql.select({ id: posts.id }).from(posts).where(eq(posts.id, postId)) : [];
      if (post === undefined) throw writeRejected('NOT_FOUND', 'input.postId', 'No post with this id exists.');
      const row = { postId, body, authorId, createdAt: now, updatedAt: now };
      const comment = onlyRow(await sql.insert(comments).values(row).returning());
      emit(COMMENT_ADDED, { commentId: comment.id, postId });
      return comment;
    },
  });
}
