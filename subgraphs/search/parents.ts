/** A found entity: other services know the rest of it. */
interface Found<Type extends string> {
  readonly __typename: Type;
  readonly id: string;
}

export type UserParent = Found<'User'>;
export type PostParent = Found<'Post'>;
export type CommentParent = Found<'Comment'>;
