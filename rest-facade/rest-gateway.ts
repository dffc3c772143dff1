import type { Gateway, ObjectResult, OperationRequest } from '../gateway/index.ts';

/** What the facade needs of a gateway. */
export interface RestGateway
  extends Pick<Gateway, 'authenticate' | 'onGeneration'>,
    Partial<Pick<Gateway, 'admitReplay' | 'budgetOf' | 'challenges' | 'health' | 'idempotency' | 'stream'>> {
  /** Whether anybody tells who callers are. @defaultValue true */
  readonly knowsCallers?: boolean;
  /** Executes a prepared operation. @throws GatewayError when it is rejected */
  executeToObject(request: OperationRequest): Promise<ObjectResult>;
}
