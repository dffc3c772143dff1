import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { restSection } from '../../../../rest-facade/config.ts';
import { compileRoutes } from '../../../../rest-facade/compile/compile-routes.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { type BoundRequest, bindRequest, type RestInput } from '../../../../rest-facade/request/parameters/bind-request.ts';
import { parseQuery } from '../../../../rest-facade/request/parameters/query-parameters.ts';
import { libraryDocuments } from './library-documents.ts';
import { librarySchema } from './library-graph.ts';

const { routes } = compileRoutes(libraryDocuments, librarySchema);

export function libraryRoute(operationName: string): RestRoute {
  const route = routes.find((candidate) => candidate.operationName === operationName);
  if (route === undefined) throw new Error(`There is no ${operationName}.`);
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

/** The code and messages of a refusal, or undefined where there is none. */
export function refusalOf(attempt: () => unknown): { readonly code: string; readonly messages: readonly string[] } | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { code: error.code, messages: error.details.length === 0 ? [error.message] : error.details.map(({ message }) => message) };
  }
}
