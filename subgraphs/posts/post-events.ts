import type { BusEvent } from '../kit/events/event-bus.ts';
import type { CommentAddedParent, PostCreatedParent } from './parents.ts';

/** Topics of events of posts. */
export const POST_CREATED = 'post.created';
export const COMMENT_ADDED = 'comment.added';

export function toPostCreated({ payload, at }: BusEvent): PostCreatedParent {
  return { postId: String(payload['postId']), at };
}

export function toCommentAdded({ payload, at }: BusEvent): CommentAddedParent {
  return { commentId: String(payload['commentId']), postId: String(payload['postId']), at };
}
