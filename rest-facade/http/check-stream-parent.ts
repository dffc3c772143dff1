import type { GenerationHandle, Principal } from '../../gateway/index.ts';
import type { Route } from '../compile/rest-route.ts';
import { NOTHING_SHOWN } from '../compile/result/field-mask.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { type BindLimits, bindRequest } from '../request/bind-request.ts';
import type { LocatedResource } from '../request/choose-version.ts';
import { readOutcome } from '../response/read-outcome.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { executeRoute } from './execute-route.ts';
import type { IncomingRequest } from './incoming-request.ts';

export interface CheckStreamParentOptions extends BindLimits {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'run'>;
}

interface StreamRequest {
  readonly incoming: IncomingRequest;
  readonly resource: LocatedResource;
  /** Reads the resource whose events the client wants. */
  readonly parent: Route;
  readonly principal: Principal;
  readonly generation: GenerationHandle;
}

/**
 * Refuses a stream whose resource the caller cannot read, with the status that GET of the resource has: a client of server-sent
 * events reconnects for ever to a stream that answers 200 (HTML, section 9.2.3). Reads the state of the resource, and pays for that.
 *
 * @throws GatewayError as GET of the resource does: `UNAUTHENTICATED`, `FORBIDDEN`, `NOT_FOUND`, `RATE_LIMITED`, …
 */
export async function checkStreamParent(
  options: CheckStreamParentOptions,
  { incoming, resource, parent, principal, generation }: StreamRequest,
  table: Pick<RouteTable, 'documentOf'>,
): Promise<void> {
  const { headers } = incoming.request;
  const path = resource.match.parameters.slice(0, parent.bindings.path.length);
  const bound = bindRequest(parent, { path, query: new Map(), body: undefined, headers }, options);
  const document = table.documentOf(parent, { fields: NOTHING_SHOWN });
  readOutcome(await executeRoute(options.gateway, { incoming, route: parent, principal, bound, generation, document }), parent, bound);
}
