// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { UserParent, UserConnectionParent } from '../parents.ts';
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

/** A person with an account. */
export type User = Node & {
  readonly __typename?: 'User';
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** Visible to the user and to administrators. */
  readonly email?: Maybe<Scalars['String']['output']>;
  /** Age in years. Visible to the user and to administrators. */
  readonly age?: Maybe<Scalars['Int']['output']>;
  /** False when the user was deleted. Posts and comments of a deleted user remain. */
  readonly isActive?: Maybe<Scalars['Boolean']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  /** Version of the object, incremented by every change. Send it as `expectedVersion` to change only the version that was read. */
  readonly version: Scalars['Int']['output'];
};

export type Query = {
  readonly __typename?: 'Query';
  readonly user?: Maybe<User>;
  /** The authenticated user. Null for anonymous callers. */
  readonly me?: Maybe<User>;
  readonly users: UserConnection;
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


export type QueryUsersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UserSort>>;
  filter?: InputMaybe<UserFilter>;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Registers a user. Requires no authentication. The caller can read all fields of the new user. */
  readonly createUser: CreateUserPayload;
  /** Changes the fields of `patch`. Null clears a field, and an omitted field is unchanged. Allowed for the user and for administrators. */
  readonly updateUser: UpdateUserPayload;
  /** Deletes a user. Posts and comments remain, with the author `Deleted user`. Allowed for the user and for administrators. */
  readonly deleteUser: DeleteUserPayload;
};


export type MutationCreateUserArgs = {
  input: CreateUserInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  patch: UpdateUserInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationDeleteUserArgs = {
  id: Scalars['ID']['input'];
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};

export type UserConnection = {
  readonly __typename?: 'UserConnection';
  readonly nodes: ReadonlyArray<User>;
  readonly edges: ReadonlyArray<UserEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type UserEdge = {
  readonly __typename?: 'UserEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: User;
};

export type UserFilter = {
  /** Text that the name of the user contains, case-insensitive. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

export type UserSort = {
  readonly field: UserSortField;
  readonly direction?: SortDirection;
};

export type UserSortField =
  | 'ID'
  | 'NAME'
  | 'CREATED_AT';

export type CreateUserInput = {
  /** From 1 to 100 characters. */
  readonly name: Scalars['String']['input'];
  readonly email: Scalars['String']['input'];
  /** Age in years, from 0 to 150. */
  readonly age?: InputMaybe<Scalars['Int']['input']>;
};

export type UpdateUserInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly email?: InputMaybe<Scalars['String']['input']>;
  readonly age?: InputMaybe<Scalars['Int']['input']>;
};

export type CreateUserPayload = {
  readonly __typename?: 'CreateUserPayload';
  readonly user?: Maybe<User>;
  readonly errors: ReadonlyArray<UserError>;
};

export type UpdateUserPayload = {
  readonly __typename?: 'UpdateUserPayload';
  readonly user?: Maybe<User>;
  readonly errors: ReadonlyArray<UserError>;
};

export type DeleteUserPayload = {
  readonly __typename?: 'DeleteUserPayload';
  /** The user before the deletion. */
  readonly user?: Maybe<User>;
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
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  User:
    ( { __typename: 'User' }
    & GraphQLRecursivePick<FederationTypes['User'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node: ( UserParent );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  User: ResolverTypeWrapper<UserParent>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  UserConnection: ResolverTypeWrapper<UserConnectionParent>;
  UserEdge: ResolverTypeWrapper<Partial<Omit<UserEdge, 'node'> & { node: ResolversTypes['User'] }>>;
  UserFilter: ResolverTypeWrapper<Partial<UserFilter>>;
  UserSort: ResolverTypeWrapper<Partial<UserSort>>;
  UserSortField: ResolverTypeWrapper<Partial<UserSortField>>;
  CreateUserInput: ResolverTypeWrapper<Partial<CreateUserInput>>;
  UpdateUserInput: ResolverTypeWrapper<Partial<UpdateUserInput>>;
  CreateUserPayload: ResolverTypeWrapper<Partial<Omit<CreateUserPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>>;
  UpdateUserPayload: ResolverTypeWrapper<Partial<Omit<UpdateUserPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>>;
  DeleteUserPayload: ResolverTypeWrapper<Partial<Omit<DeleteUserPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>>;
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
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  UserConnection: UserConnectionParent;
  UserEdge: Partial<Omit<UserEdge, 'node'> & { node: ResolversParentTypes['User'] }>;
  UserFilter: Partial<UserFilter>;
  UserSort: Partial<UserSort>;
  CreateUserInput: Partial<CreateUserInput>;
  UpdateUserInput: Partial<UpdateUserInput>;
  CreateUserPayload: Partial<Omit<CreateUserPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> }>;
  UpdateUserPayload: Partial<Omit<UpdateUserPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> }>;
  DeleteUserPayload: Partial<Omit<DeleteUserPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> }>;
  PageInfo: Partial<PageInfo>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'User', ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'], FederationReferenceType extends FederationReferenceTypes['User'] = FederationReferenceTypes['User']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['User']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  age?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  isActive?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  users?: Resolver<ResolversTypes['UserConnection'], ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createUser?: Resolver<ResolversTypes['CreateUserPayload'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'input'>>;
  updateUser?: Resolver<ResolversTypes['UpdateUserPayload'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'patch'>>;
  deleteUser?: Resolver<ResolversTypes['DeleteUserPayload'], ParentType, ContextType, RequireFields<MutationDeleteUserArgs, 'id'>>;
};

export type UserConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UserConnection'] = ResolversParentTypes['UserConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['UserEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UserEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UserEdge'] = ResolversParentTypes['UserEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type CreateUserPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateUserPayload'] = ResolversParentTypes['CreateUserPayload']> = {
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateUserPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateUserPayload'] = ResolversParentTypes['UpdateUserPayload']> = {
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteUserPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteUserPayload'] = ResolversParentTypes['DeleteUserPayload']> = {
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
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
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  UserConnection?: UserConnectionResolvers<ContextType>;
  UserEdge?: UserEdgeResolvers<ContextType>;
  CreateUserPayload?: CreateUserPayloadResolvers<ContextType>;
  UpdateUserPayload?: UpdateUserPayloadResolvers<ContextType>;
  DeleteUserPayload?: DeleteUserPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

