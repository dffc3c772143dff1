import type { Connection } from '../kit/pagination/connection.ts';
import type { CommentRow, PostRow } from './tables.ts';

/** Of a user this service knows the id alone. */
export interface UserParent {
  readonly id: string;
}

/** A `Post` is resolved from its row. */
export type PostParent = PostRow;

/** A `Comment` is resolved from its row. */
export type CommentParent = CommentRow;

export type PostConnectionParent = Connection<PostRow>;
export type CommentConnectionParent = Connection<CommentRow>;

export interface PostCreatedParent {
  readonly postId: string;
  readonly at: Date;
}

export interface CommentAddedParent {
  readonly commentId: string;
  readonly postId: string;
  readonly at: Date;
}
