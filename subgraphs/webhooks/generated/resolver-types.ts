// Generated from the SDL by `npm run generate`; edits are lost.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { WebhookParent, WebhookConnectionParent, WebhookDeliveryParent, WebhookDeliveryConnectionParent } from '../parents.ts';
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

/** An address that receives events with the permissions of its owner. It is PENDING until it responds to a signed ping with 2xx. */
export type Webhook = Node & {
  readonly __typename?: 'Webhook';
  readonly id: Scalars['ID']['output'];
  readonly url: Scalars['String']['output'];
  /** Names of events, such as `order.created`. */
  readonly events: ReadonlyArray<Scalars['String']['output']>;
  /** Whether the events of one entity are sent one after another, in their order. Otherwise events may arrive in any order. */
  readonly isOrdered: Scalars['Boolean']['output'];
  readonly state: WebhookState;
  /** Reason why the webhook is DISABLED; null otherwise. */
  readonly disabledReason?: Maybe<WebhookDisabledReason>;
  /** Time since which every attempt has failed. Null when the last attempt succeeded. */
  readonly failingSince?: Maybe<Scalars['DateTime']['output']>;
  readonly lastDeliveredAt?: Maybe<Scalars['DateTime']['output']>;
  readonly ownerId: Scalars['ID']['output'];
  readonly owner: User;
  /** Finished and waiting deliveries. Finished deliveries are stored for 30 days. */
  readonly deliveries: WebhookDeliveryConnection;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly version: Scalars['Int']['output'];
};


/** An address that receives events with the permissions of its owner. It is PENDING until it responds to a signed ping with 2xx. */
export type WebhookDeliveriesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<WebhookDeliverySort>>;
  filter?: InputMaybe<WebhookDeliveryFilter>;
};

export type WebhookState =
  | 'PENDING'
  | 'ACTIVE'
  | 'DISABLED';

export type WebhookDisabledReason =
  /** The receiver responded with 410. */
  | 'GONE'
  /** No attempt has succeeded for days. */
  | 'FAILING'
  /** Its owner or an administrator disabled it. */
  | 'OWNER'
  /** The owner no longer exists. */
  | 'OWNER_GONE';

/** One event for one webhook. */
export type WebhookDelivery = Node & {
  readonly __typename?: 'WebhookDelivery';
  readonly id: Scalars['ID']['output'];
  readonly webhookId: Scalars['ID']['output'];
  readonly webhook: Webhook;
  readonly ownerId: Scalars['ID']['output'];
  /** Value of the header `webhook-id`. It is the same for every attempt and for a redelivery. */
  readonly messageId: Scalars['String']['output'];
  /** Name of the event; `webhook.ping` for a ping. */
  readonly event: Scalars['String']['output'];
  readonly state: WebhookDeliveryState;
  readonly attempts: Scalars['Int']['output'];
  /** Time of the next attempt. Null when the delivery is finished. */
  readonly nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  readonly lastAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** HTTP status of the last response. Null when there was no response. */
  readonly lastStatus?: Maybe<Scalars['Int']['output']>;
  /** Error code of the last attempt. Null when it succeeded. */
  readonly lastCode?: Maybe<Scalars['String']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly finishedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type WebhookDeliveryState =
  | 'PENDING'
  | 'DELIVERED'
  /** All attempts have failed. */
  | 'DEAD'
  /** The address is not allowed, or the owner no longer has permission for the event. */
  | 'BLOCKED'
  /** The delivery was waiting when the webhook was disabled or its address changed. */
  | 'CANCELLED';

export type Query = {
  readonly __typename?: 'Query';
  readonly webhook?: Maybe<Webhook>;
  /** Lists the webhooks of the caller. Administrators can list all webhooks, or those of `filter.ownerId`. */
  readonly webhooks?: Maybe<WebhookConnection>;
  readonly webhookDelivery?: Maybe<WebhookDelivery>;
};


export type QueryWebhookArgs = {
  id: Scalars['ID']['input'];
};


export type QueryWebhooksArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  offset?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<WebhookSort>>;
  filter?: InputMaybe<WebhookFilter>;
};


export type QueryWebhookDeliveryArgs = {
  id: Scalars['ID']['input'];
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Registers a webhook of the authenticated user and sends it a ping. The secret is returned only once. */
  readonly createWebhook: CreateWebhookPayload;
  /** Changes the fields of `patch`. After a change of its address, the webhook is PENDING again. */
  readonly updateWebhook: UpdateWebhookPayload;
  /** Deletes a webhook with its secrets and its deliveries. */
  readonly deleteWebhook: DeleteWebhookPayload;
  /** Creates a new secret, which is returned only once. The previous secret also signs messages for 24 hours. */
  readonly rotateWebhookSecret: RotateWebhookSecretPayload;
  /** Sends a finished delivery again, with the same `messageId`. */
  readonly redeliverWebhook: RedeliverWebhookPayload;
};


export type MutationCreateWebhookArgs = {
  input: CreateWebhookInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateWebhookArgs = {
  id: Scalars['ID']['input'];
  patch: UpdateWebhookInput;
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationDeleteWebhookArgs = {
  id: Scalars['ID']['input'];
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationRotateWebhookSecretArgs = {
  id: Scalars['ID']['input'];
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationRedeliverWebhookArgs = {
  id: Scalars['ID']['input'];
  input: RedeliverWebhookInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

export type WebhookConnection = {
  readonly __typename?: 'WebhookConnection';
  readonly nodes: ReadonlyArray<Webhook>;
  readonly edges: ReadonlyArray<WebhookEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type WebhookEdge = {
  readonly __typename?: 'WebhookEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Webhook;
};

export type WebhookDeliveryConnection = {
  readonly __typename?: 'WebhookDeliveryConnection';
  readonly nodes: ReadonlyArray<WebhookDelivery>;
  readonly edges: ReadonlyArray<WebhookDeliveryEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type WebhookDeliveryEdge = {
  readonly __typename?: 'WebhookDeliveryEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: WebhookDelivery;
};

export type WebhookFilter = {
  readonly state?: InputMaybe<ReadonlyArray<WebhookState>>;
  readonly ownerId?: InputMaybe<Scalars['ID']['input']>;
};

export type WebhookSort = {
  readonly field: WebhookSortField;
  readonly direction?: SortDirection;
};

export type WebhookSortField =
  | 'ID'
  | 'CREATED_AT';

export type WebhookDeliveryFilter = {
  readonly state?: InputMaybe<ReadonlyArray<WebhookDeliveryState>>;
  readonly event?: InputMaybe<Scalars['String']['input']>;
};

export type WebhookDeliverySort = {
  readonly field: WebhookDeliverySortField;
  readonly direction?: SortDirection;
};

export type WebhookDeliverySortField =
  | 'ID'
  | 'CREATED_AT';

export type CreateWebhookInput = {
  /** URL with the scheme `https`, port 443 or 8443, and a public host name. At most 2048 characters. */
  readonly url: Scalars['String']['input'];
  /** Names of events, without duplicates. */
  readonly events: ReadonlyArray<Scalars['String']['input']>;
  readonly isOrdered?: Scalars['Boolean']['input'];
};

export type UpdateWebhookInput = {
  /** The same rules as for `createWebhook` apply. */
  readonly url?: InputMaybe<Scalars['String']['input']>;
  /** Names of events, without duplicates. */
  readonly events?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly isOrdered?: InputMaybe<Scalars['Boolean']['input']>;
  readonly state?: InputMaybe<WebhookSwitch>;
};

/** State that an owner can request. */
export type WebhookSwitch =
  /** Re-enables a DISABLED webhook, which becomes PENDING. A webhook that is not ACTIVE gets a ping, and becomes ACTIVE when it responds with 2xx. */
  | 'ACTIVE'
  | 'DISABLED';

export type RedeliverWebhookInput = {
  /** Id of a finished delivery of this webhook. */
  readonly deliveryId: Scalars['ID']['input'];
};

export type CreateWebhookPayload = {
  readonly __typename?: 'CreateWebhookPayload';
  readonly webhook?: Maybe<Webhook>;
  /** Signing key: the prefix `whsec_`, followed by 32 bytes in base64. */
  readonly secret?: Maybe<Scalars['String']['output']>;
  readonly errors: ReadonlyArray<UserError>;
};

export type UpdateWebhookPayload = {
  readonly __typename?: 'UpdateWebhookPayload';
  readonly webhook?: Maybe<Webhook>;
  readonly errors: ReadonlyArray<UserError>;
};

export type DeleteWebhookPayload = {
  readonly __typename?: 'DeleteWebhookPayload';
  /** The deleted webhook. */
  readonly webhook?: Maybe<Webhook>;
  readonly errors: ReadonlyArray<UserError>;
};

export type RotateWebhookSecretPayload = {
  readonly __typename?: 'RotateWebhookSecretPayload';
  readonly webhook?: Maybe<Webhook>;
  /** Signing key: the prefix `whsec_`, followed by 32 bytes in base64. */
  readonly secret?: Maybe<Scalars['String']['output']>;
  /** Time until which the previous secret also signs messages. */
  readonly previousExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  readonly errors: ReadonlyArray<UserError>;
};

export type RedeliverWebhookPayload = {
  readonly __typename?: 'RedeliverWebhookPayload';
  readonly delivery?: Maybe<WebhookDelivery>;
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
  Webhook: Webhook;
  WebhookDelivery: WebhookDelivery;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Webhook:
    ( { __typename: 'Webhook' }
    & GraphQLRecursivePick<FederationTypes['Webhook'], {"id":true}> );
  WebhookDelivery:
    ( { __typename: 'WebhookDelivery' }
    & GraphQLRecursivePick<FederationTypes['WebhookDelivery'], {"id":true}> );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( WebhookParent )
    | ( WebhookDeliveryParent )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  User: ResolverTypeWrapper<Partial<User>>;
  Webhook: ResolverTypeWrapper<WebhookParent>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  WebhookState: ResolverTypeWrapper<Partial<WebhookState>>;
  WebhookDisabledReason: ResolverTypeWrapper<Partial<WebhookDisabledReason>>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDeliveryParent>;
  WebhookDeliveryState: ResolverTypeWrapper<Partial<WebhookDeliveryState>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  WebhookConnection: ResolverTypeWrapper<WebhookConnectionParent>;
  WebhookEdge: ResolverTypeWrapper<Partial<Omit<WebhookEdge, 'node'> & { node: ResolversTypes['Webhook'] }>>;
  WebhookDeliveryConnection: ResolverTypeWrapper<WebhookDeliveryConnectionParent>;
  WebhookDeliveryEdge: ResolverTypeWrapper<Partial<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversTypes['WebhookDelivery'] }>>;
  WebhookFilter: ResolverTypeWrapper<Partial<WebhookFilter>>;
  WebhookSort: ResolverTypeWrapper<Partial<WebhookSort>>;
  WebhookSortField: ResolverTypeWrapper<Partial<WebhookSortField>>;
  WebhookDeliveryFilter: ResolverTypeWrapper<Partial<WebhookDeliveryFilter>>;
  WebhookDeliverySort: ResolverTypeWrapper<Partial<WebhookDeliverySort>>;
  WebhookDeliverySortField: ResolverTypeWrapper<Partial<WebhookDeliverySortField>>;
  CreateWebhookInput: ResolverTypeWrapper<Partial<CreateWebhookInput>>;
  UpdateWebhookInput: ResolverTypeWrapper<Partial<UpdateWebhookInput>>;
  WebhookSwitch: ResolverTypeWrapper<Partial<WebhookSwitch>>;
  RedeliverWebhookInput: ResolverTypeWrapper<Partial<RedeliverWebhookInput>>;
  CreateWebhookPayload: ResolverTypeWrapper<Partial<Omit<CreateWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversTypes['Webhook']> }>>;
  UpdateWebhookPayload: ResolverTypeWrapper<Partial<Omit<UpdateWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversTypes['Webhook']> }>>;
  DeleteWebhookPayload: ResolverTypeWrapper<Partial<Omit<DeleteWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversTypes['Webhook']> }>>;
  RotateWebhookSecretPayload: ResolverTypeWrapper<Partial<Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook?: Maybe<ResolversTypes['Webhook']> }>>;
  RedeliverWebhookPayload: ResolverTypeWrapper<Partial<Omit<RedeliverWebhookPayload, 'delivery'> & { delivery?: Maybe<ResolversTypes['WebhookDelivery']> }>>;
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
  User: Partial<User>;
  Webhook: WebhookParent;
  Int: Partial<Scalars['Int']['output']>;
  WebhookDelivery: WebhookDeliveryParent;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  WebhookConnection: WebhookConnectionParent;
  WebhookEdge: Partial<Omit<WebhookEdge, 'node'> & { node: ResolversParentTypes['Webhook'] }>;
  WebhookDeliveryConnection: WebhookDeliveryConnectionParent;
  WebhookDeliveryEdge: Partial<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversParentTypes['WebhookDelivery'] }>;
  WebhookFilter: Partial<WebhookFilter>;
  WebhookSort: Partial<WebhookSort>;
  WebhookDeliveryFilter: Partial<WebhookDeliveryFilter>;
  WebhookDeliverySort: Partial<WebhookDeliverySort>;
  CreateWebhookInput: Partial<CreateWebhookInput>;
  UpdateWebhookInput: Partial<UpdateWebhookInput>;
  RedeliverWebhookInput: Partial<RedeliverWebhookInput>;
  CreateWebhookPayload: Partial<Omit<CreateWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversParentTypes['Webhook']> }>;
  UpdateWebhookPayload: Partial<Omit<UpdateWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversParentTypes['Webhook']> }>;
  DeleteWebhookPayload: Partial<Omit<DeleteWebhookPayload, 'webhook'> & { webhook?: Maybe<ResolversParentTypes['Webhook']> }>;
  RotateWebhookSecretPayload: Partial<Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook?: Maybe<ResolversParentTypes['Webhook']> }>;
  RedeliverWebhookPayload: Partial<Omit<RedeliverWebhookPayload, 'delivery'> & { delivery?: Maybe<ResolversParentTypes['WebhookDelivery']> }>;
  PageInfo: Partial<PageInfo>;
  UserError: Partial<UserError>;
  String: Partial<Scalars['String']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Webhook' | 'WebhookDelivery', ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook'], FederationReferenceType extends FederationReferenceTypes['Webhook'] = FederationReferenceTypes['Webhook']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Webhook']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  events?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  isOrdered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WebhookState'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['WebhookDisabledReason']>, ParentType, ContextType>;
  failingSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastDeliveredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  ownerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  deliveries?: Resolver<ResolversTypes['WebhookDeliveryConnection'], ParentType, ContextType, RequireFields<WebhookDeliveriesArgs, 'first'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery'], FederationReferenceType extends FederationReferenceTypes['WebhookDelivery'] = FederationReferenceTypes['WebhookDelivery']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['WebhookDelivery']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  webhookId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
  ownerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  event?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WebhookDeliveryState'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lastCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  webhooks?: Resolver<Maybe<ResolversTypes['WebhookConnection']>, ParentType, ContextType, RequireFields<QueryWebhooksArgs, 'first'>>;
  webhookDelivery?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<QueryWebhookDeliveryArgs, 'id'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createWebhook?: Resolver<ResolversTypes['CreateWebhookPayload'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'input'>>;
  updateWebhook?: Resolver<ResolversTypes['UpdateWebhookPayload'], ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'id' | 'patch'>>;
  deleteWebhook?: Resolver<ResolversTypes['DeleteWebhookPayload'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  rotateWebhookSecret?: Resolver<ResolversTypes['RotateWebhookSecretPayload'], ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'id'>>;
  redeliverWebhook?: Resolver<ResolversTypes['RedeliverWebhookPayload'], ParentType, ContextType, RequireFields<MutationRedeliverWebhookArgs, 'id' | 'input'>>;
};

export type WebhookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookConnection'] = ResolversParentTypes['WebhookConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Webhook']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['WebhookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookEdge'] = ResolversParentTypes['WebhookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type WebhookDeliveryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDeliveryConnection'] = ResolversParentTypes['WebhookDeliveryConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['WebhookDeliveryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookDeliveryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDeliveryEdge'] = ResolversParentTypes['WebhookDeliveryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type CreateWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateWebhookPayload'] = ResolversParentTypes['CreateWebhookPayload']> = {
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateWebhookPayload'] = ResolversParentTypes['UpdateWebhookPayload']> = {
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteWebhookPayload'] = ResolversParentTypes['DeleteWebhookPayload']> = {
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RotateWebhookSecretPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RotateWebhookSecretPayload'] = ResolversParentTypes['RotateWebhookSecretPayload']> = {
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previousExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RedeliverWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedeliverWebhookPayload'] = ResolversParentTypes['RedeliverWebhookPayload']> = {
  delivery?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
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
  Webhook?: WebhookResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  WebhookConnection?: WebhookConnectionResolvers<ContextType>;
  WebhookEdge?: WebhookEdgeResolvers<ContextType>;
  WebhookDeliveryConnection?: WebhookDeliveryConnectionResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
  CreateWebhookPayload?: CreateWebhookPayloadResolvers<ContextType>;
  UpdateWebhookPayload?: UpdateWebhookPayloadResolvers<ContextType>;
  DeleteWebhookPayload?: DeleteWebhookPayloadResolvers<ContextType>;
  RotateWebhookSecretPayload?: RotateWebhookSecretPayloadResolvers<ContextType>;
  RedeliverWebhookPayload?: RedeliverWebhookPayloadResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

