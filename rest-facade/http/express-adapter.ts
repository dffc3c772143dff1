import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RestFacade } from './request-listener.ts';

/** Request of Express, of which only the mount path is needed. An own type, so that this package needs no types of Express. */
export interface MountedRequest extends IncomingMessage {
  /** Path under which the middleware is mounted. */
  readonly baseUrl: string;
}

/**
 * Converts the facade to Express middleware: `app.use('/shop', toExpress(facade))`. Mount it before any body parser, because it reads
 * bodies itself. It handles every path below its mount path, including the 404 responses.
 */
export function toExpress(facade: RestFacade): (request: MountedRequest, response: ServerResponse) => void {
  return (request, response) => facade(request, response, request.baseUrl);
}
