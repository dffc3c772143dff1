import { Router } from 'express';
import type { RestFacade } from './request-listener.ts';

/**
 * The facade as an Express router, for an application of your own: `app.use('/shop', toExpress(facade))`. Mount it
 * before any body parser; it reads bodies itself. Below its path it owns every address, with their 404.
 */
export function toExpress(facade: RestFacade): Router {
  return Router().use((request, response) => facade(request, response, request.baseUrl));
}
