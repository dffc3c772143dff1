import type { GenerationHandle, Principal } from '../../gateway/index.ts';
import type { Route } from '../compile/rest-route.ts';
import type { LocatedResource } from '../request/choose-version.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { Target } from './request-address.ts';

/** A request whose caller was admitted, with what it was found to be about. */
export interface AdmittedRequest {
  readonly incoming: IncomingRequest;
  readonly target: Target;
  readonly resource: LocatedResource;
  readonly route: Route;
  readonly principal: Principal;
  readonly generation: GenerationHandle;
}
