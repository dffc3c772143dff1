// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { UserParent, PostParent, CommentParent, PostConnectionParent, CommentConnectionParent, PostCreatedParent, CommentAddedParent } from '../parents.ts';
import type { RequestContext } from '../../kit/request-context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An instant in ISO 8601, UTC, with milliseconds: `2026-01-31T09:30:00.000Z`. */
  DateTime: { input: Date; output: Date; }
};

/** An object with an id. */
export type Node = {
  readonly id: Scalars['ID']['output'];
};

export type User = {
  readonly __typename?: 'User';
  readonly id: Scalars['ID']['output'];
  /** Posts of the user, newest first. */
  readonly posts: ReadonlyArray<Post>;
};


export type UserPostsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

/** An article and its comments. */
export type Post = Node & {
  readonly __typename?: 'Post';
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly body: Scalars['String']['output'];
  readonly tags: ReadonlyArray<Scalars['String']['output']>;
  readonly author: User;
  readonly comments: CommentConnection;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};


/** An article and its comments. */
export type PostCommentsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
};

export type Comment = Node & {
  readonly __typename?: 'Comment';
  readonly id: Scalars['ID']['output'];
  readonly body: Scalars['String']['output'];
  readonly author: User;
  readonly post: Post;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};

export type Query = {
  readonly __typename?: 'Query';
  readonly post?: Maybe<Post>;
  readonly posts: PostConnection;
  /**
   * Posts, newest first.
   * @deprecated Use `posts`, which reports whether there are more items.
   */
  readonly allPosts: ReadonlyArray<Post>;
};


export type QueryPostArgs = {
  id: Scalars['ID']['input'];
};


export type QueryPostsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<PostSort>>;
  filter?: InputMaybe<PostFilter>;
};


export type QueryAllPostsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Creates a post of the authenticated user. */
  readonly createPost: Post;
  /** Adds a comment of the authenticated user to a post. */
  readonly addComment: AddCommentPayload;
};


export type MutationCreatePostArgs = {
  input: CreatePostInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationAddCommentArgs = {
  input: AddCommentInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  readonly postCreated: PostCreated;
  /** Events of new comments on one post, or on all posts without `postId`. */
  readonly commentAdded: CommentAdded;
};


export type SubscriptionCommentAddedArgs = {
  postId?: InputMaybe<Scalars['ID']['input']>;
};

export type PostCreated = {
  readonly __typename?: 'PostCreated';
  readonly postId: Scalars['ID']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly post: Post;
};

export type CommentAdded = {
  readonly __typename?: 'CommentAdded';
  readonly commentId: Scalars['ID']['output'];
  readonly postId: Scalars['ID']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly comment: Comment;
};

export type PostConnection = {
  readonly __typename?: 'PostConnection';
  readonly nodes: ReadonlyArray<Post>;
  readonly edges: ReadonlyArray<PostEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type PostEdge = {
  readonly __typename?: 'PostEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Post;
};

export type CommentConnection = {
  readonly __typename?: 'CommentConnection';
  readonly nodes: ReadonlyArray<Comment>;
  readonly edges: ReadonlyArray<CommentEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type CommentEdge = {
  readonly __typename?: 'CommentEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Comment;
};

export type PostFilter = {
  readonly authorId?: InputMaybe<Scalars['ID']['input']>;
  readonly tag?: InputMaybe<Scalars['String']['input']>;
};

export type PostSort = {
  readonly field: PostSortField;
  readonly direction?: SortDirection;
};

export type PostSortField =
  | 'ID'
  | 'TITLE'
  | 'CREATED_AT';

export type CreatePostInput = {
  /** From 1 to 200 characters. */
  readonly title: Scalars['String']['input'];
  /** From 1 to 20000 characters. */
  readonly body: Scalars['String']['input'];
  /** At most 10 tags of 1 to 40 characters each. */
  readonly tags?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type AddCommentInput = {
  readonly postId: Scalars['ID']['input'];
  /** From 1 to 2000 characters. */
  readonly body: Scalars['String']['input'];
};

export type AddCommentPayload = {
  readonly __typename?: 'AddCommentPayload';
  readonly comment?: Maybe<Comment>;
  readonly errors: ReadonlyArray<UserError>;
};

export type SortDirection =
  | 'ASC'
  | 'DESC';

export type PageInfo = {
  readonly __typename?: 'PageInfo';
  readonly hasNextPage: Scalars['Boolean']['output'];
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/** An error in the input or in the state of an object, not a failure of the service. */
export type UserError = {
  readonly __typename?: 'UserError';
  /** Path of the invalid input field, such as `input.email`. Empty when the error does not concern a single field. */
  readonly field: Scalars['String']['output'];
  readonly message: Scalars['String']['output'];
  readonly code: ErrorCode;
  /** Current version of the object. Present with `VERSION_MISMATCH`. */
  readonly currentVersion?: Maybe<Scalars['Int']['output']>;
};

export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'VERSION_MISMATCH'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'WEBHOOK_URL_FORBIDDEN';

/** Role that a rule requires. Every authenticated caller is a USER. */
export type Role =
  | 'USER'
  | 'ADMIN';

/** Whether a cached response may be shared between callers. */
export type CacheControlScope =
  | 'PUBLIC'
  | 'PRIVATE';



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  User: User;
  Post: Post;
  Comment: Comment;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  User:
    ( { __typename: 'User' }
    & GraphQLRecursivePick<FederationTypes['User'], {"id":true}> );
  Post:
    ( { __typename: 'Post' }
    & GraphQLRecursivePick<FederationTypes['Post'], {"id":true}> );
  Comment:
    ( { __typename: 'Comment' }
    & GraphQLRecursivePick<FederationTypes['Comment'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( PostParent )
    | ( CommentParent )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  User: ResolverTypeWrapper<UserParent>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  Post: ResolverTypeWrapper<PostParent>;
  Comment: ResolverTypeWrapper<CommentParent>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PostCreated: ResolverTypeWrapper<PostCreatedParent>;
  CommentAdded: ResolverTypeWrapper<CommentAddedParent>;
  PostConnection: ResolverTypeWrapper<PostConnectionParent>;
  PostEdge: ResolverTypeWrapper<Partial<Omit<PostEdge, 'node'> & { node: ResolversTypes['Post'] }>>;
  CommentConnection: ResolverTypeWrapper<CommentConnectionParent>;
  CommentEdge: ResolverTypeWrapper<Partial<Omit<CommentEdge, 'node'> & { node: ResolversTypes['Comment'] }>>;
  PostFilter: ResolverTypeWrapper<Partial<PostFilter>>;
  PostSort: ResolverTypeWrapper<Partial<PostSort>>;
  PostSortField: ResolverTypeWrapper<Partial<PostSortField>>;
  CreatePostInput: ResolverTypeWrapper<Partial<CreatePostInput>>;
  AddCommentInput: ResolverTypeWrapper<Partial<AddCommentInput>>;
  AddCommentPayload: ResolverTypeWrapper<Partial<Omit<AddCommentPayload, 'comment'> & { comment?: Maybe<ResolversTypes['Comment']> }>>;
  SortDirection: ResolverTypeWrapper<Partial<SortDirection>>;
  PageInfo: ResolverTypeWrapper<Partial<PageInfo>>;
  UserError: ResolverTypeWrapper<Partial<UserError>>;
  ErrorCode: ResolverTypeWrapper<Partial<ErrorCode>>;
  Role: ResolverTypeWrapper<Partial<Role>>;
  CacheControlScope: ResolverTypeWrapper<Partial<CacheControlScope>>;
  String: ResolverTypeWrapper<Partial<Scalars['String']['output']>>;
  Boolean: ResolverTypeWrapper<Partial<Scalars['Boolean']['output']>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Partial<Scalars['DateTime']['output']>;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  ID: Partial<Scalars['ID']['output']>;
  User: UserParent;
  Int: Partial<Scalars['Int']['output']>;
  Post: PostParent;
  Comment: CommentParent;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  PostCreated: PostCreatedParent;
  CommentAdded: CommentAddedParent;
  PostConnection: PostConnectionParent;
  PostEdge: Partial<Omit<PostEdge, 'node'> & { node: ResolversParentTypes['Post'] }>;
  CommentConnection: CommentConnectionParent;
  CommentEdge: Partial<Omit<CommentEdge, 'node'> & { node: ResolversParentTypes['Comment'] }>;
  PostFilter: Partial<PostFilter>;
  PostSort: Partial<PostSort>;
  CreatePostInput: Partial<CreatePostInput>;
  AddCommentInput: Partial<AddCommentInput>;
  AddCommentPayload: Partial<Omit<AddCommentPayload, 'comment'> & { comment?: Maybe<ResolversParentTypes['Comment']> }>;
  PageInfo: Partial<PageInfo>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Post' | 'Comment', ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'], FederationReferenceType extends FederationReferenceTypes['User'] = FederationReferenceTypes['User']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['User']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  posts?: Resolver<ReadonlyArray<ResolversTypes['Post']>, ParentType, ContextType, RequireFields<UserPostsArgs, 'first'>>;
};

export type PostResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Post'] = ResolversParentTypes['Post'], FederationReferenceType extends FederationReferenceTypes['Post'] = FederationReferenceTypes['Post']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Post']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tags?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  author?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  comments?: Resolver<ResolversTypes['CommentConnection'], ParentType, ContextType, RequireFields<PostCommentsArgs, 'first'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CommentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Comment'] = ResolversParentTypes['Comment'], FederationReferenceType extends FederationReferenceTypes['Comment'] = FederationReferenceTypes['Comment']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Comment']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  author?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  post?: Resolver<ResolversTypes['Post'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  post?: Resolver<Maybe<ResolversTypes['Post']>, ParentType, ContextType, RequireFields<QueryPostArgs, 'id'>>;
  posts?: Resolver<ResolversTypes['PostConnection'], ParentType, ContextType, RequireFields<QueryPostsArgs, 'first'>>;
  allPosts?: Resolver<ReadonlyArray<ResolversTypes['Post']>, ParentType, ContextType, RequireFields<QueryAllPostsArgs, 'first'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createPost?: Resolver<ResolversTypes['Post'], ParentType, ContextType, RequireFields<MutationCreatePostArgs, 'input'>>;
  addComment?: Resolver<ResolversTypes['AddCommentPayload'], ParentType, ContextType, RequireFields<MutationAddCommentArgs, 'input'>>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  postCreated?: SubscriptionResolver<ResolversTypes['PostCreated'], "postCreated", ParentType, ContextType>;
  commentAdded?: SubscriptionResolver<ResolversTypes['CommentAdded'], "commentAdded", ParentType, ContextType, Partial<SubscriptionCommentAddedArgs>>;
};

export type PostCreatedResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PostCreated'] = ResolversParentTypes['PostCreated']> = {
  postId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  post?: Resolver<ResolversTypes['Post'], ParentType, ContextType>;
};

export type CommentAddedResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CommentAdded'] = ResolversParentTypes['CommentAdded']> = {
  commentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  postId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  comment?: Resolver<ResolversTypes['Comment'], ParentType, ContextType>;
};

export type PostConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PostConnection'] = ResolversParentTypes['PostConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Post']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['PostEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PostEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PostEdge'] = ResolversParentTypes['PostEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Post'], ParentType, ContextType>;
};

export type CommentConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CommentConnection'] = ResolversParentTypes['CommentConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Comment']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['CommentEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CommentEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CommentEdge'] = ResolversParentTypes['CommentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Comment'], ParentType, ContextType>;
};

export type AddCommentPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AddCommentPayload'] = ResolversParentTypes['AddCommentPayload']> = {
  comment?: Resolver<Maybe<ResolversTypes['Comment']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  currentVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  DateTime?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Post?: PostResolvers<ContextType>;
  Comment?: CommentResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  PostCreated?: PostCreatedResolvers<ContextType>;
  CommentAdded?: CommentAddedResolvers<ContextType>;
  PostConnection?: PostConnectionResolvers<ContextType>;
  PostEdge?: PostEdgeResolvers<ContextType>;
  CommentConnection?: CommentConnectionResolvers<ContextType>;
  CommentEdge?: CommentEdgeResolvers<ContextType>;
  AddCommentPayload?: AddCommentPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

