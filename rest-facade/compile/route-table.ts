import type { GenerationView } from '../../gateway/index.ts';
import { type CompiledRoutes, compileRoutes } from './compile-routes.ts';
import type { RestDocument } from './documents/parse-documents.ts';
import { type ApiVersions, compileVersions, successorVersion, versionProblems } from './endpoint/versions.ts';
import { compileLinkTargets, type LinkTargets } from './links/link-targets.ts';
import { MappingInvalid, type MappingProblem, positionOf } from './mapping-problems.ts';
import type { RestRoute } from './rest-route.ts';
import { prepareDocuments, type RouteDocuments, type RouteDocumentsOptions } from './route-documents.ts';
import { compileMatcher, type Matcher } from './route-matcher.ts';
import { compileStreamParents, type StreamParents } from './stream-parents.ts';

export interface RouteTableOptions extends ExecutorAbilities, RouteDocumentsOptions {
  readonly mounts: readonly string[];
  /** Version for requests that do not name one. */
  readonly defaultVersion: number;
}

/** All data of the facade for one generation. */
export interface RouteTable extends Pick<CompiledRoutes, 'routes' | 'fragments'>, RouteDocuments {
  readonly match: Matcher;
  readonly versions: ApiVersions;
  /** Returns the first version after the end of a route that serves the same method and path, or undefined. */
  successorOf(route: RestRoute): number | undefined;
  readonly linkTargets: LinkTargets;
  readonly streamParents: StreamParents;
}

/** Compiles the route table of a generation. @throws MappingInvalid with every mistake in the documents */
export function compileRouteTable(documents: readonly RestDocument[], view: GenerationView, options: RouteTableOptions): RouteTable {
  const { routes, fragments, problems: mistakes } = compileRoutes(documents, view.schema, view.ownersOf);
  const versions = compileVersions(routes, options.defaultVersion);
  const foreign = [...versionProblems(versions), ...executorProblems(routes, options)];
  const problems = [...mistakes, ...foreign];
  if (problems.length > 0) throw new MappingInvalid(problems);
  const successors = new Map(routes.map((route) => [route, successorVersion(route, routes)]));
  return {
    routes,
    fragments,
    versions,
    match: compileMatcher(routes, options.mounts, versions.all),
    successorOf: (route) => successors.get(route),
    linkTargets: compileLinkTargets(routes),
    streamParents: compileStreamParents(routes),
    ...prepareDocuments(routes, view, options),
  };
}

/** Optional abilities of the executor behind the facade, in addition to queries and mutations. */
interface ExecutorAbilities {
  /** Whether callers are authenticated. @defaultValue true */
  readonly hasAuthentication?: boolean | undefined;
  /** Whether the executor runs subscriptions. @defaultValue true */
  readonly canStream?: boolean;
}

/** Reports routes that no caller could use with this executor. */
function executorProblems(
  routes: readonly RestRoute[],
  { hasAuthentication = true, canStream = true }: ExecutorAbilities,
): readonly MappingProblem[] {
  const problem = ({ operationName, operation }: RestRoute, message: string, hint: string): MappingProblem => ({
    message: `${operationName} ${message}`,
    hint,
    ...positionOf(operation.loc),
  });
  return routes.flatMap((route) => [
    ...(route.needsCredentials && !hasAuthentication
      ? [
          problem(
            route,
            'requires credentials (`signedIn: true`), but the facade has no authentication.',
            'Pass `authenticate` to `createRestFacade`, or remove `signedIn`.',
          ),
        ]
      : []),
    ...(route.isStream && !canStream
      ? [
          problem(
            route,
            'is a subscription, but the executor does not support subscriptions.',
            'Use the facade with a Gatefold gateway, or remove the operation.',
          ),
        ]
      : []),
  ]);
}
