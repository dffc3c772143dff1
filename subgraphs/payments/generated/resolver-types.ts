// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { PaymentParent, PaymentSucceededParent } from '../parents.ts';
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
};

export type Order = {
  readonly __typename?: 'Order';
  readonly id: Scalars['ID']['output'];
};

export type Payment = Node & {
  readonly __typename?: 'Payment';
  readonly id: Scalars['ID']['output'];
  /** Amount in minor units of the currency: 1999 is 19.99. */
  readonly amount: Scalars['Int']['output'];
  /** ISO 4217 code of three uppercase letters. */
  readonly currency: Scalars['String']['output'];
  readonly status: PaymentStatus;
  readonly userId: Scalars['ID']['output'];
  readonly user: User;
  /** Order that was paid. Null when the payment has no order. */
  readonly order?: Maybe<Order>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};

export type PaymentStatus =
  | 'SUCCEEDED'
  | 'REFUNDED';

export type Query = {
  readonly __typename?: 'Query';
  readonly payment?: Maybe<Payment>;
};


export type QueryPaymentArgs = {
  id: Scalars['ID']['input'];
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Charges the authenticated user, at most once per idempotency key. */
  readonly createPayment: CreatePaymentPayload;
};


export type MutationCreatePaymentArgs = {
  input: CreatePaymentInput;
  idempotencyKey: Scalars['String']['input'];
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Events of successful payments. Users receive the events of payments that belong to them, administrators of all payments. */
  readonly paymentSucceeded: PaymentSucceeded;
};


export type SubscriptionPaymentSucceededArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
};

export type PaymentSucceeded = {
  readonly __typename?: 'PaymentSucceeded';
  readonly paymentId: Scalars['ID']['output'];
  readonly amount: Scalars['Int']['output'];
  readonly currency: Scalars['String']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly payment: Payment;
};

export type CreatePaymentInput = {
  /** Amount in minor units of the currency, from 1 to 100000000. */
  readonly amount: Scalars['Int']['input'];
  /** ISO 4217 code of three uppercase letters. */
  readonly currency: Scalars['String']['input'];
  /** Id of an order of the same user that is neither canceled nor paid. The amount must be its full price, in EUR. */
  readonly orderId?: InputMaybe<Scalars['ID']['input']>;
};

export type CreatePaymentPayload = {
  readonly __typename?: 'CreatePaymentPayload';
  readonly payment?: Maybe<Payment>;
  readonly errors: ReadonlyArray<UserError>;
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
  Payment: Payment;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Payment:
    ( { __typename: 'Payment' }
    & GraphQLRecursivePick<FederationTypes['Payment'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node: ( PaymentParent );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  User: ResolverTypeWrapper<Partial<User>>;
  Order: ResolverTypeWrapper<Partial<Order>>;
  Payment: ResolverTypeWrapper<PaymentParent>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  PaymentStatus: ResolverTypeWrapper<Partial<PaymentStatus>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PaymentSucceeded: ResolverTypeWrapper<PaymentSucceededParent>;
  CreatePaymentInput: ResolverTypeWrapper<Partial<CreatePaymentInput>>;
  CreatePaymentPayload: ResolverTypeWrapper<Partial<Omit<CreatePaymentPayload, 'payment'> & { payment?: Maybe<ResolversTypes['Payment']> }>>;
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
  User: Partial<User>;
  Order: Partial<Order>;
  Payment: PaymentParent;
  Int: Partial<Scalars['Int']['output']>;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  PaymentSucceeded: PaymentSucceededParent;
  CreatePaymentInput: Partial<CreatePaymentInput>;
  CreatePaymentPayload: Partial<Omit<CreatePaymentPayload, 'payment'> & { payment?: Maybe<ResolversParentTypes['Payment']> }>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Payment', ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type OrderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type PaymentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Payment'] = ResolversParentTypes['Payment'], FederationReferenceType extends FederationReferenceTypes['Payment'] = FederationReferenceTypes['Payment']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Payment']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['PaymentStatus'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  payment?: Resolver<Maybe<ResolversTypes['Payment']>, ParentType, ContextType, RequireFields<QueryPaymentArgs, 'id'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createPayment?: Resolver<ResolversTypes['CreatePaymentPayload'], ParentType, ContextType, RequireFields<MutationCreatePaymentArgs, 'input' | 'idempotencyKey'>>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  paymentSucceeded?: SubscriptionResolver<ResolversTypes['PaymentSucceeded'], "paymentSucceeded", ParentType, ContextType, Partial<SubscriptionPaymentSucceededArgs>>;
};

export type PaymentSucceededResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PaymentSucceeded'] = ResolversParentTypes['PaymentSucceeded']> = {
  paymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  payment?: Resolver<ResolversTypes['Payment'], ParentType, ContextType>;
};

export type CreatePaymentPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreatePaymentPayload'] = ResolversParentTypes['CreatePaymentPayload']> = {
  payment?: Resolver<Maybe<ResolversTypes['Payment']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
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
  Order?: OrderResolvers<ContextType>;
  Payment?: PaymentResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  PaymentSucceeded?: PaymentSucceededResolvers<ContextType>;
  CreatePaymentPayload?: CreatePaymentPayloadResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

