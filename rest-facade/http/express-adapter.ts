import type { RequestHandler } from 'express';
import type { RestFacade } from './request-listener.ts';

/**
 * The facade as Express middleware, for an application of your own: `app.use('/shop', toExpress(facade))`. Mount it
 * before any body parser; it reads bodies itself. Below its path it owns every address, with their 404.
 */
export function toExpress(facade: RestFacade): RequestHandler {
  return (request, response) => facade(request, response, request.baseUrl);
}
