// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { BookParent, BookConnectionParent } from '../parents.ts';
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

export type Book = Node & {
  readonly __typename?: 'Book';
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly author: Scalars['String']['output'];
  readonly price: Scalars['Float']['output'];
  readonly inStock: Scalars['Boolean']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};

export type Query = {
  readonly __typename?: 'Query';
  readonly book?: Maybe<Book>;
  readonly books: BookConnection;
};


export type QueryBookArgs = {
  id: Scalars['ID']['input'];
};


export type QueryBooksArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<BookSort>>;
  filter?: InputMaybe<BookFilter>;
};

/** Mutations of books require an administrator. */
export type Mutation = {
  readonly __typename?: 'Mutation';
  readonly createBook: CreateBookPayload;
  readonly updateBook: UpdateBookPayload;
  readonly replaceBook: ReplaceBookPayload;
  readonly deleteBook: DeleteBookPayload;
};


/** Mutations of books require an administrator. */
export type MutationCreateBookArgs = {
  input: CreateBookInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Mutations of books require an administrator. */
export type MutationUpdateBookArgs = {
  id: Scalars['ID']['input'];
  patch: UpdateBookInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


/** Mutations of books require an administrator. */
export type MutationReplaceBookArgs = {
  id: Scalars['ID']['input'];
  input: ReplaceBookInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


/** Mutations of books require an administrator. */
export type MutationDeleteBookArgs = {
  id: Scalars['ID']['input'];
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};

export type BookConnection = {
  readonly __typename?: 'BookConnection';
  readonly nodes: ReadonlyArray<Book>;
  readonly edges: ReadonlyArray<BookEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type BookEdge = {
  readonly __typename?: 'BookEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Book;
};

export type BookFilter = {
  /** Full name of the author, case-insensitive. */
  readonly author?: InputMaybe<Scalars['String']['input']>;
  readonly inStock?: InputMaybe<Scalars['Boolean']['input']>;
};

export type BookSort = {
  readonly field: BookSortField;
  readonly direction?: SortDirection;
};

export type BookSortField =
  | 'ID'
  | 'TITLE'
  | 'PRICE'
  | 'CREATED_AT';

export type CreateBookInput = {
  /** From 1 to 200 characters. */
  readonly title: Scalars['String']['input'];
  /** From 1 to 100 characters. */
  readonly author: Scalars['String']['input'];
  /** From 0 to 100000, with at most two decimals. */
  readonly price: Scalars['Float']['input'];
  readonly inStock?: Scalars['Boolean']['input'];
};

export type UpdateBookInput = {
  readonly title?: InputMaybe<Scalars['String']['input']>;
  readonly author?: InputMaybe<Scalars['String']['input']>;
  readonly price?: InputMaybe<Scalars['Float']['input']>;
  readonly inStock?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The complete content of a book. An omitted field gets its default. */
export type ReplaceBookInput = {
  readonly title: Scalars['String']['input'];
  readonly author: Scalars['String']['input'];
  readonly price: Scalars['Float']['input'];
  readonly inStock?: Scalars['Boolean']['input'];
};

export type CreateBookPayload = {
  readonly __typename?: 'CreateBookPayload';
  readonly book?: Maybe<Book>;
  readonly errors: ReadonlyArray<UserError>;
};

export type UpdateBookPayload = {
  readonly __typename?: 'UpdateBookPayload';
  readonly book?: Maybe<Book>;
  readonly errors: ReadonlyArray<UserError>;
};

export type ReplaceBookPayload = {
  readonly __typename?: 'ReplaceBookPayload';
  readonly book?: Maybe<Book>;
  readonly errors: ReadonlyArray<UserError>;
};

export type DeleteBookPayload = {
  readonly __typename?: 'DeleteBookPayload';
  /** The deleted book. */
  readonly book?: Maybe<Book>;
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
  Book: Book;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Book:
    ( { __typename: 'Book' }
    & GraphQLRecursivePick<FederationTypes['Book'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node: ( BookParent );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  Book: ResolverTypeWrapper<BookParent>;
  Float: ResolverTypeWrapper<Partial<Scalars['Float']['output']>>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  BookConnection: ResolverTypeWrapper<BookConnectionParent>;
  BookEdge: ResolverTypeWrapper<Partial<Omit<BookEdge, 'node'> & { node: ResolversTypes['Book'] }>>;
  BookFilter: ResolverTypeWrapper<Partial<BookFilter>>;
  BookSort: ResolverTypeWrapper<Partial<BookSort>>;
  BookSortField: ResolverTypeWrapper<Partial<BookSortField>>;
  CreateBookInput: ResolverTypeWrapper<Partial<CreateBookInput>>;
  UpdateBookInput: ResolverTypeWrapper<Partial<UpdateBookInput>>;
  ReplaceBookInput: ResolverTypeWrapper<Partial<ReplaceBookInput>>;
  CreateBookPayload: ResolverTypeWrapper<Partial<Omit<CreateBookPayload, 'book'> & { book?: Maybe<ResolversTypes['Book']> }>>;
  UpdateBookPayload: ResolverTypeWrapper<Partial<Omit<UpdateBookPayload, 'book'> & { book?: Maybe<ResolversTypes['Book']> }>>;
  ReplaceBookPayload: ResolverTypeWrapper<Partial<Omit<ReplaceBookPayload, 'book'> & { book?: Maybe<ResolversTypes['Book']> }>>;
  DeleteBookPayload: ResolverTypeWrapper<Partial<Omit<DeleteBookPayload, 'book'> & { book?: Maybe<ResolversTypes['Book']> }>>;
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
  Book: BookParent;
  Float: Partial<Scalars['Float']['output']>;
  Int: Partial<Scalars['Int']['output']>;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  BookConnection: BookConnectionParent;
  BookEdge: Partial<Omit<BookEdge, 'node'> & { node: ResolversParentTypes['Book'] }>;
  BookFilter: Partial<BookFilter>;
  BookSort: Partial<BookSort>;
  CreateBookInput: Partial<CreateBookInput>;
  UpdateBookInput: Partial<UpdateBookInput>;
  ReplaceBookInput: Partial<ReplaceBookInput>;
  CreateBookPayload: Partial<Omit<CreateBookPayload, 'book'> & { book?: Maybe<ResolversParentTypes['Book']> }>;
  UpdateBookPayload: Partial<Omit<UpdateBookPayload, 'book'> & { book?: Maybe<ResolversParentTypes['Book']> }>;
  ReplaceBookPayload: Partial<Omit<ReplaceBookPayload, 'book'> & { book?: Maybe<ResolversParentTypes['Book']> }>;
  DeleteBookPayload: Partial<Omit<DeleteBookPayload, 'book'> & { book?: Maybe<ResolversParentTypes['Book']> }>;
  PageInfo: Partial<PageInfo>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Book', ParentType, ContextType>;
};

export type BookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book'], FederationReferenceType extends FederationReferenceTypes['Book'] = FederationReferenceTypes['Book']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Book']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  author?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  inStock?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType, RequireFields<QueryBookArgs, 'id'>>;
  books?: Resolver<ResolversTypes['BookConnection'], ParentType, ContextType, RequireFields<QueryBooksArgs, 'first'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createBook?: Resolver<ResolversTypes['CreateBookPayload'], ParentType, ContextType, RequireFields<MutationCreateBookArgs, 'input'>>;
  updateBook?: Resolver<ResolversTypes['UpdateBookPayload'], ParentType, ContextType, RequireFields<MutationUpdateBookArgs, 'id' | 'patch'>>;
  replaceBook?: Resolver<ResolversTypes['ReplaceBookPayload'], ParentType, ContextType, RequireFields<MutationReplaceBookArgs, 'id' | 'input'>>;
  deleteBook?: Resolver<ResolversTypes['DeleteBookPayload'], ParentType, ContextType, RequireFields<MutationDeleteBookArgs, 'id'>>;
};

export type BookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookConnection'] = ResolversParentTypes['BookConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Book']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['BookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type BookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookEdge'] = ResolversParentTypes['BookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
};

export type CreateBookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateBookPayload'] = ResolversParentTypes['CreateBookPayload']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateBookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateBookPayload'] = ResolversParentTypes['UpdateBookPayload']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReplaceBookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReplaceBookPayload'] = ResolversParentTypes['ReplaceBookPayload']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteBookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteBookPayload'] = ResolversParentTypes['DeleteBookPayload']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
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
  Book?: BookResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  BookConnection?: BookConnectionResolvers<ContextType>;
  BookEdge?: BookEdgeResolvers<ContextType>;
  CreateBookPayload?: CreateBookPayloadResolvers<ContextType>;
  UpdateBookPayload?: UpdateBookPayloadResolvers<ContextType>;
  ReplaceBookPayload?: ReplaceBookPayloadResolvers<ContextType>;
  DeleteBookPayload?: DeleteBookPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

