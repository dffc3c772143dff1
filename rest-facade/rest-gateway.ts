import type { Gateway, ObjectResult, OperationRequest } from '../gateway/index.ts';

/** Budget that pays for an operation. */
export type OperationBudget = NonNullable<OperationRequest['budget']>;

/** Memo of an operation whose response is cached. */
export type OperationMemo = NonNullable<ObjectResult['memo']>;

type Renditions = NonNullable<ObjectResult['cached']>['cached']['renditions'];

/** Response that was made from a cached response. */
export type StoredRestResponse = NonNullable<ReturnType<Renditions['find']>>;

/** Stored response in one content coding. */
export type CodedRestResponse = NonNullable<ReturnType<StoredRestResponse['wire']['get']>>;

/** The interface between the facade and a gateway. */
export interface RestGateway
  extends Pick<Gateway, 'authenticate' | 'onGeneration'>,
    Partial<
      Pick<Gateway, 'authorizeReplay' | 'budgetOf' | 'challenges' | 'health' | 'idempotency' | 'recorderOf' | 'responseCache' | 'stream'>
    > {
  /** Whether callers are authenticated. @defaultValue true */
  readonly hasAuthentication?: boolean;
  /** Executes a prepared operation. @throws GatewayError if it is rejected */
  executeToObject(request: OperationRequest): Promise<ObjectResult>;
}
