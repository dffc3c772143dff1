import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../platform/errors.ts';
import type { GraphqlHandler } from './graphql-handler.ts';
import type { Maintenance } from './maintenance.ts';

/** Answers services on the internal listener. @throws GatewayError `METHOD_NOT_ALLOWED`, `MAINTENANCE` */
export type ServiceHandler = (request: IncomingMessage, response: ServerResponse, correlationId: string) => Promise<void>;

/**
 * The door of services that speak for others: POST of what `/graphql` takes, answered once or by events. What is written down of requests,
 * as targets of GET are in the logs of proxies, is none of its tokens' business, so there is no other method.
 */
export function createServiceHandler(graphql: GraphqlHandler, maintenance: Pick<Maintenance, 'check'>): ServiceHandler {
  return async (request, response, correlationId) => {
    if (request.method !== 'POST') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Services ask by POST.', { headers: { allow: 'POST' } });
    }
    maintenance.check();
    await graphql(request, response, { correlationId });
  };
}
