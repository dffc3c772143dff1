import type { Gateway, ObjectResult, OperationRequest } from '../gateway/index.ts';

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
