import type { Gateway, ObjectResult, OperationRequest } from '../gateway/index.ts';

/** What the facade needs of a gateway. */
export interface RestGateway extends Pick<Gateway, 'authenticate' | 'onGeneration'>, Partial<Pick<Gateway, 'budgetOf' | 'challenges'>> {
  /** Runs a prepared operation. @throws GatewayError when it is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
}
