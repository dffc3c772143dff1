import type { ObjectResult, OperationRequest } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { toRestError } from '../errors/operation-error.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { RestGateway } from '../rest-gateway.ts';

/** The part of a request that its execution uses. */
export type ExecutableRequest = Pick<RestRequest, 'incoming' | 'route' | 'principal' | 'bound' | 'generation' | 'document'>;

/** Callbacks and memos of one execution. */
export type ExecutionHooks = Pick<OperationRequest, 'onUnsent' | 'onAccess' | 'isStorable' | 'memos'>;

/**
 * Runs the operation of a route and sets the rate limit headers of the caller.
 *
 * @throws GatewayError if the operation is rejected before execution, converted to a REST error
 */
export async function executeRoute(
  gateway: Pick<RestGateway, 'budgetOf' | 'executeToObject'>,
  request: ExecutableRequest,
  hooks: ExecutionHooks = {},
): Promise<ObjectResult> {
  const operation = operationOf(gateway, request, hooks);
  try {
    const result = await gateway.executeToObject(operation);
    if (result.facts.headers !== undefined) Object.assign(request.incoming.responseHeaders, result.facts.headers);
    return result;
  } catch (error) {
    throw toRouteError(error, request.route);
  } finally {
    operation.budget?.writeRateLimitHeaders(request.incoming.responseHeaders);
  }
}

/** Converts the rejection of an operation to a REST error. Other errors are returned unchanged. */
export function toRouteError(error: unknown, { method }: Pick<RestRoute, 'method'>): unknown {
  return error instanceof GatewayError ? toRestError(error, method) : error;
}

/** Returns the operation of a route with the values of one request. */
export function operationOf(
  gateway: Pick<RestGateway, 'budgetOf'>,
  { incoming, route, principal, bound, generation, document }: ExecutableRequest,
  { isStorable, memos, onUnsent, onAccess }: ExecutionHooks = {},
): OperationRequest {
  const { request, correlationId, signal } = incoming;
  const { headers } = request;
  const remoteAddress = request.socket.remoteAddress ?? '';
  return {
    generation,
    principal,
    document: { prepared: document },
    variables: bound.variables,
    transport: 'rest',
    headers,
    correlationId,
    remoteAddress,
    budget: gateway.budgetOf?.({ principal, headers, remoteAddress }),
    queryOnly: route.method === 'GET',
    signal,
    isStorable,
    memos,
    onUnsent,
    onAccess,
    // Set by stages of the pipeline. A copy that gets an additional member has a new shape each time, so all members are present.
    recorder: undefined,
    writes: undefined,
    hooked: undefined,
  };
}
