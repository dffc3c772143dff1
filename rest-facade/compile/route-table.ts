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
  /** The version of requests that name none. */
  readonly defaultVersion: number;
}

/** Everything the facade knows about one generation. */
export interface RouteTable extends Pick<CompiledRoutes, 'routes' | 'fragments'>, RouteDocuments {
  readonly match: Matcher;
  readonly versions: ApiVersions;
  /** The first version after the end of a route that has the same; undefined where none does. */
  successorOf(route: RestRoute): number | undefined;
  readonly linkTargets: LinkTargets;
  readonly streamParents: StreamParents;
}

/** @throws MappingInvalid with every mistake in the documents */
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

/** What stands behind the facade can do beside running queries and mutations. */
interface ExecutorAbilities {
  /** Whether anybody tells who callers are. @defaultValue true */
  readonly knowsCallers?: boolean | undefined;
  /** Whether it runs subscriptions. @defaultValue true */
  readonly canStream?: boolean;
}

/** Routes that nobody could ever use. */
function executorProblems(
  routes: readonly RestRoute[],
  { knowsCallers = true, canStream = true }: ExecutorAbilities,
): readonly MappingProblem[] {
  const problem = ({ operationName, operation }: RestRoute, message: string, hint: string): MappingProblem => ({
    message: `${operationName} ${message}`,
    hint,
    ...positionOf(operation.loc),
  });
  return routes.flatMap((route) => [
    ...(route.needsCredentials && !knowsCallers
      ? [
          problem(
            route,
            'is for callers with credentials, and nobody tells who callers are.',
            'Give createRestFacade an `authenticate`, or leave `signedIn` out.',
          ),
        ]
      : []),
    ...(route.isStream && !canStream
      ? [problem(route, 'is a subscription, and nobody runs subscriptions here.', 'Put the facade in front of a gateway, or leave it out.')]
      : []),
  ]);
}
