// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { OrderParent, OrderConnectionParent, OrderStatusChangedParent, UserParent } from '../parents.ts';
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
  /** Visible to the user and to administrators. */
  readonly orders?: Maybe<OrderConnection>;
};


export type UserOrdersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<OrderSort>>;
  filter?: InputMaybe<OrderFilter>;
};

export type Book = {
  readonly __typename?: 'Book';
  readonly id: Scalars['ID']['output'];
};

/**
 * An order of one product. Its status changes from PENDING to CONFIRMED to SHIPPED. It can be CANCELLED before it is SHIPPED. Product and quantity can be
 * changed only while the order is PENDING and not paid.
 */
export type Order = Node & {
  readonly __typename?: 'Order';
  readonly id: Scalars['ID']['output'];
  readonly status: OrderStatus;
  readonly productId: Scalars['ID']['output'];
  /** Null when the book is no longer sold. */
  readonly product?: Maybe<Book>;
  readonly qty: Scalars['Int']['output'];
  readonly userId: Scalars['ID']['output'];
  readonly user: User;
  /** Price of the product at the time of the order, multiplied by `qty`. */
  readonly total: Scalars['Float']['output'];
  /** Shipping cost: 4.90 plus 0.50 per piece, free from a total of 50. Express doubles the cost. */
  readonly shippingCost?: Maybe<Scalars['Float']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};


/**
 * An order of one product. Its status changes from PENDING to CONFIRMED to SHIPPED. It can be CANCELLED before it is SHIPPED. Product and quantity can be
 * changed only while the order is PENDING and not paid.
 */
export type OrderShippingCostArgs = {
  express?: InputMaybe<Scalars['Boolean']['input']>;
};

export type OrderStatus =
  | 'PENDING'
  | 'CONFIRMED'
  | 'SHIPPED'
  | 'CANCELLED';

export type Query = {
  readonly __typename?: 'Query';
  readonly order?: Maybe<Order>;
  /** Lists orders. Administrators can list all orders. Other users must set `filter.userId` to their own id. */
  readonly orders?: Maybe<OrderConnection>;
};


export type QueryOrderArgs = {
  id: Scalars['ID']['input'];
};


export type QueryOrdersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<OrderSort>>;
  filter?: InputMaybe<OrderFilter>;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  readonly createOrder: CreateOrderPayload;
  /** Changes the fields of `patch`. Only administrators can ship an order. */
  readonly updateOrder: UpdateOrderPayload;
  readonly replaceOrder: ReplaceOrderPayload;
  /** Sets the order to CANCELLED. Canceling it again has no effect and returns the same result. A paid order can be canceled, but its payment is not refunded. */
  readonly cancelOrder: CancelOrderPayload;
};


export type MutationCreateOrderArgs = {
  input: CreateOrderInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateOrderArgs = {
  id: Scalars['ID']['input'];
  patch: UpdateOrderInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationReplaceOrderArgs = {
  id: Scalars['ID']['input'];
  input: ReplaceOrderInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationCancelOrderArgs = {
  id: Scalars['ID']['input'];
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Events when an order is created or its status changes. Users receive the events of orders that belong to them, administrators of all orders. */
  readonly orderStatusChanged: OrderStatusChanged;
};


export type SubscriptionOrderStatusChangedArgs = {
  orderId?: InputMaybe<Scalars['ID']['input']>;
  userId?: InputMaybe<Scalars['ID']['input']>;
};

export type OrderEventKind =
  | 'CREATED'
  | 'STATUS_CHANGED';

export type OrderStatusChanged = {
  readonly __typename?: 'OrderStatusChanged';
  readonly kind: OrderEventKind;
  readonly orderId: Scalars['ID']['output'];
  readonly status: OrderStatus;
  readonly version: Scalars['Int']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly order: Order;
};

export type OrderConnection = {
  readonly __typename?: 'OrderConnection';
  readonly nodes: ReadonlyArray<Order>;
  readonly edges: ReadonlyArray<OrderEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type OrderEdge = {
  readonly __typename?: 'OrderEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Order;
};

export type OrderFilter = {
  readonly status?: InputMaybe<ReadonlyArray<OrderStatus>>;
  readonly userId?: InputMaybe<Scalars['ID']['input']>;
};

export type OrderSort = {
  readonly field: OrderSortField;
  readonly direction?: SortDirection;
};

export type OrderSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'TOTAL'
  | 'STATUS';

export type CreateOrderInput = {
  readonly productId: Scalars['ID']['input'];
  /** From 1 to 1000. */
  readonly qty: Scalars['Int']['input'];
};

export type UpdateOrderInput = {
  readonly status?: InputMaybe<OrderStatus>;
  /** From 1 to 1000. Can be changed only while the order is PENDING and not paid; otherwise the error is `CONFLICT`. */
  readonly qty?: InputMaybe<Scalars['Int']['input']>;
};

/** The complete content of an order. An omitted field gets its default. */
export type ReplaceOrderInput = {
  readonly productId: Scalars['ID']['input'];
  /** From 1 to 1000. */
  readonly qty: Scalars['Int']['input'];
  readonly status?: OrderStatus;
};

export type CreateOrderPayload = {
  readonly __typename?: 'CreateOrderPayload';
  readonly order?: Maybe<Order>;
  readonly errors: ReadonlyArray<UserError>;
};

export type UpdateOrderPayload = {
  readonly __typename?: 'UpdateOrderPayload';
  readonly order?: Maybe<Order>;
  readonly errors: ReadonlyArray<UserError>;
};

export type ReplaceOrderPayload = {
  readonly __typename?: 'ReplaceOrderPayload';
  readonly order?: Maybe<Order>;
  readonly errors: ReadonlyArray<UserError>;
};

export type CancelOrderPayload = {
  readonly __typename?: 'CancelOrderPayload';
  readonly order?: Maybe<Order>;
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
  Order: Order;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  User:
    ( { __typename: 'User' }
    & GraphQLRecursivePick<FederationTypes['User'], {"id":true}> );
  Order:
    ( { __typename: 'Order' }
    & GraphQLRecursivePick<FederationTypes['Order'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node: ( OrderParent );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  User: ResolverTypeWrapper<UserParent>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  Book: ResolverTypeWrapper<Partial<Book>>;
  Order: ResolverTypeWrapper<OrderParent>;
  Float: ResolverTypeWrapper<Partial<Scalars['Float']['output']>>;
  OrderStatus: ResolverTypeWrapper<Partial<OrderStatus>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OrderEventKind: ResolverTypeWrapper<Partial<OrderEventKind>>;
  OrderStatusChanged: ResolverTypeWrapper<OrderStatusChangedParent>;
  OrderConnection: ResolverTypeWrapper<OrderConnectionParent>;
  OrderEdge: ResolverTypeWrapper<Partial<Omit<OrderEdge, 'node'> & { node: ResolversTypes['Order'] }>>;
  OrderFilter: ResolverTypeWrapper<Partial<OrderFilter>>;
  OrderSort: ResolverTypeWrapper<Partial<OrderSort>>;
  OrderSortField: ResolverTypeWrapper<Partial<OrderSortField>>;
  CreateOrderInput: ResolverTypeWrapper<Partial<CreateOrderInput>>;
  UpdateOrderInput: ResolverTypeWrapper<Partial<UpdateOrderInput>>;
  ReplaceOrderInput: ResolverTypeWrapper<Partial<ReplaceOrderInput>>;
  CreateOrderPayload: ResolverTypeWrapper<Partial<Omit<CreateOrderPayload, 'order'> & { order?: Maybe<ResolversTypes['Order']> }>>;
  UpdateOrderPayload: ResolverTypeWrapper<Partial<Omit<UpdateOrderPayload, 'order'> & { order?: Maybe<ResolversTypes['Order']> }>>;
  ReplaceOrderPayload: ResolverTypeWrapper<Partial<Omit<ReplaceOrderPayload, 'order'> & { order?: Maybe<ResolversTypes['Order']> }>>;
  CancelOrderPayload: ResolverTypeWrapper<Partial<Omit<CancelOrderPayload, 'order'> & { order?: Maybe<ResolversTypes['Order']> }>>;
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
  Book: Partial<Book>;
  Order: OrderParent;
  Float: Partial<Scalars['Float']['output']>;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  OrderStatusChanged: OrderStatusChangedParent;
  OrderConnection: OrderConnectionParent;
  OrderEdge: Partial<Omit<OrderEdge, 'node'> & { node: ResolversParentTypes['Order'] }>;
  OrderFilter: Partial<OrderFilter>;
  OrderSort: Partial<OrderSort>;
  CreateOrderInput: Partial<CreateOrderInput>;
  UpdateOrderInput: Partial<UpdateOrderInput>;
  ReplaceOrderInput: Partial<ReplaceOrderInput>;
  CreateOrderPayload: Partial<Omit<CreateOrderPayload, 'order'> & { order?: Maybe<ResolversParentTypes['Order']> }>;
  UpdateOrderPayload: Partial<Omit<UpdateOrderPayload, 'order'> & { order?: Maybe<ResolversParentTypes['Order']> }>;
  ReplaceOrderPayload: Partial<Omit<ReplaceOrderPayload, 'order'> & { order?: Maybe<ResolversParentTypes['Order']> }>;
  CancelOrderPayload: Partial<Omit<CancelOrderPayload, 'order'> & { order?: Maybe<ResolversParentTypes['Order']> }>;
  PageInfo: Partial<PageInfo>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Order', ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'], FederationReferenceType extends FederationReferenceTypes['User'] = FederationReferenceTypes['User']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['User']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  orders?: Resolver<Maybe<ResolversTypes['OrderConnection']>, ParentType, ContextType, RequireFields<UserOrdersArgs, 'first'>>;
};

export type BookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type OrderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order'], FederationReferenceType extends FederationReferenceTypes['Order'] = FederationReferenceTypes['Order']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Order']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  productId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  qty?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  shippingCost?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<OrderShippingCostArgs, 'express'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<QueryOrderArgs, 'id'>>;
  orders?: Resolver<Maybe<ResolversTypes['OrderConnection']>, ParentType, ContextType, RequireFields<QueryOrdersArgs, 'first'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createOrder?: Resolver<ResolversTypes['CreateOrderPayload'], ParentType, ContextType, RequireFields<MutationCreateOrderArgs, 'input'>>;
  updateOrder?: Resolver<ResolversTypes['UpdateOrderPayload'], ParentType, ContextType, RequireFields<MutationUpdateOrderArgs, 'id' | 'patch'>>;
  replaceOrder?: Resolver<ResolversTypes['ReplaceOrderPayload'], ParentType, ContextType, RequireFields<MutationReplaceOrderArgs, 'id' | 'input'>>;
  cancelOrder?: Resolver<ResolversTypes['CancelOrderPayload'], ParentType, ContextType, RequireFields<MutationCancelOrderArgs, 'id'>>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  orderStatusChanged?: SubscriptionResolver<ResolversTypes['OrderStatusChanged'], "orderStatusChanged", ParentType, ContextType, Partial<SubscriptionOrderStatusChangedArgs>>;
};

export type OrderStatusChangedResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OrderStatusChanged'] = ResolversParentTypes['OrderStatusChanged']> = {
  kind?: Resolver<ResolversTypes['OrderEventKind'], ParentType, ContextType>;
  orderId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  order?: Resolver<ResolversTypes['Order'], ParentType, ContextType>;
};

export type OrderConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OrderConnection'] = ResolversParentTypes['OrderConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['OrderEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OrderEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OrderEdge'] = ResolversParentTypes['OrderEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Order'], ParentType, ContextType>;
};

export type CreateOrderPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateOrderPayload'] = ResolversParentTypes['CreateOrderPayload']> = {
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateOrderPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateOrderPayload'] = ResolversParentTypes['UpdateOrderPayload']> = {
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReplaceOrderPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReplaceOrderPayload'] = ResolversParentTypes['ReplaceOrderPayload']> = {
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CancelOrderPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CancelOrderPayload'] = ResolversParentTypes['CancelOrderPayload']> = {
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
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
  Book?: BookResolvers<ContextType>;
  Order?: OrderResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  OrderStatusChanged?: OrderStatusChangedResolvers<ContextType>;
  OrderConnection?: OrderConnectionResolvers<ContextType>;
  OrderEdge?: OrderEdgeResolvers<ContextType>;
  CreateOrderPayload?: CreateOrderPayloadResolvers<ContextType>;
  UpdateOrderPayload?: UpdateOrderPayloadResolvers<ContextType>;
  ReplaceOrderPayload?: ReplaceOrderPayloadResolvers<ContextType>;
  CancelOrderPayload?: CancelOrderPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

