import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { restSection } from '../../../../rest-facade/config.ts';
import { compileRoutes } from '../../../../rest-facade/compile/compile-routes.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { type BoundRequest, bindRequest, type RestInput } from '../../../../rest-facade/request/parameters/bind-request.ts';
import { parseQuery } from '../../../../rest-facade/request/parameters/query-parameters.ts';
import { libraryDocuments } from './library-documents.ts';
import { librarySchema } from './library-graph.ts';
import { asErrorOf, thrownBy } from '../../../support/errors/catch-error.ts';

const { routes } = compileRoutes(libraryDocuments, librarySchema);

export function libraryRoute(operationName: string): RestRoute {
  const route = routes.find((candidate) => candidate.operationName === operationName);
  if (route === undefined) throw new Error(`The operation ${operationName} does not exist.`);
  return route;
}

/** Binds a request to a route of the library, with the default limits. */
export function bind(
  operationName: string,
  { query = '', ...input }: Partial<Omit<RestInput, 'query'>> & { readonly query?: string } = {},
): BoundRequest {
  const request = { path: [], body: undefined, headers: {}, ...input, query: parseQuery(query) };
  return bindRequest(libraryRoute(operationName), request, restSection.parse({}));
}

/** Returns the code and messages of the thrown error, or undefined when nothing is thrown. */
export function catchRejection(attempt: () => unknown): { readonly code: string; readonly messages: readonly string[] } | undefined {
  const thrown = thrownBy(attempt);
  if (thrown === undefined) return undefined;
  const { code, message, details } = asErrorOf(GatewayError, thrown);
  return { code, messages: details.length === 0 ? [message] : details.map((detail) => detail.message) };
}
