import type { ObjectResult, OperationRequest } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { toRestError } from '../errors/operation-error.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { RestGateway } from '../rest-gateway.ts';

/** What of a request its operation is run with. */
export type ExecutableRequest = Pick<RestRequest, 'incoming' | 'route' | 'principal' | 'bound' | 'generation' | 'document'>;

/** Callbacks of one execution. */
export type ExecutionHooks = Pick<OperationRequest, 'onUnsent' | 'onAccess'>;

/**
 * Runs the operation of a route, and tells what is left of the caller's budget.
 *
 * @throws GatewayError when it is refused, in the words of REST
 */
export async function executeRoute(
  gateway: Pick<RestGateway, 'budgetOf' | 'executeToObject'>,
  request: ExecutableRequest,
  hooks: ExecutionHooks = {},
): Promise<ObjectResult> {
  const operation = operationOf(gateway, request);
  try {
    return await gateway.executeToObject({ ...operation, ...hooks });
  } catch (error) {
    throw error instanceof GatewayError ? toRestError(error, request.route.method) : error;
  } finally {
    operation.budget?.tell(request.incoming.responseHeaders);
  }
}

/** The operation of a route, for one request. */
export function operationOf(
  gateway: Pick<RestGateway, 'budgetOf'>,
  { incoming, route, principal, bound, generation, document }: ExecutableRequest,
): OperationRequest {
  const { request, correlationId, signal } = incoming;
  const { headers } = request;
  const remoteAddress = request.socket.remoteAddress ?? '';
  return {
    generation,
    principal,
    document: { prepared: document },
    variables: bound.variables,
    door: 'rest',
    headers,
    correlationId,
    remoteAddress,
    budget: gateway.budgetOf?.({ principal, headers, remoteAddress }),
    queryOnly: route.method === 'GET',
    signal,
  };
}
