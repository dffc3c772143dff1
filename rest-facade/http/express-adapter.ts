import type { RequestHandler } from 'express';
import type { RestFacade } from './request-listener.ts';

/**
 * Converts the facade to Express middleware: `app.use('/shop', toExpress(facade))`. Mount it before any body parser, because it reads
 * bodies itself. It handles every path below its mount path, including the 404 responses.
 */
export function toExpress(facade: RestFacade): RequestHandler {
  return (request, response) => facade(request, response, request.baseUrl);
}
