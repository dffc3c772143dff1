import type { Connection } from '../kit/pagination/connection.ts';
import type { CommentRow, PostRow } from './tables.ts';

/** Resolver parent of `User`. This subgraph knows only the id. */
export interface UserParent {
  readonly id: string;
}

/** Resolver parent of `Post`: its row. */
export type PostParent = PostRow;

/** Resolver parent of `Comment`: its row. */
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
