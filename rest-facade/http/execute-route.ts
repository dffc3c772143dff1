import type { ObjectResult, OperationRequest } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { toRefusal } from '../errors/execution-failure.ts';
import type { RestGateway } from '../rest-gateway.ts';
import type { ReadyRequest } from './ready-request.ts';

/** What of a request its operation is run with. */
export type ExecutableRequest = Pick<ReadyRequest, 'incoming' | 'route' | 'principal' | 'bound' | 'generation' | 'document'>;

/**
 * Runs the operation of a route, and tells what is left of the caller's budget.
 *
 * @param onUnsent hears that no subgraph was asked to do anything
 * @throws GatewayError when it is refused, in the words of REST
 */
export async function executeRoute(
  gateway: Pick<RestGateway, 'budgetOf' | 'run'>,
  ready: ExecutableRequest,
  onUnsent?: () => void,
): Promise<ObjectResult> {
  const { incoming, route, principal, bound, generation, document } = ready;
  const { request, correlationId, signal, replyHeaders } = incoming;
  const { headers } = request;
  const remoteAddress = request.socket.remoteAddress ?? '';
  const budget = gateway.budgetOf?.({ principal, headers, remoteAddress });
  const operation: OperationRequest = {
    generation,
    principal,
    document: { prepared: document },
    variables: bound.variables,
    door: 'rest',
    headers,
    correlationId,
    remoteAddress,
    budget,
    onUnsent,
    queryOnly: route.method === 'GET',
    signal,
  };
  try {
    return await gateway.run(operation, 'object');
  } catch (error) {
    throw error instanceof GatewayError ? toRefusal(error, route.method) : error;
  } finally {
    budget?.tell(replyHeaders);
  }
}
