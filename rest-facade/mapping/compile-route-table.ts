import type { GenerationView } from '../../gateway/index.ts';
import { compileMatcher, type Matcher } from '../request/compile-matcher.ts';
import { type CompiledRoutes, compileRoutes } from './compile-routes.ts';
import { type ApiVersions, compileVersions, successorVersion, versionProblems } from './compile-versions.ts';
import { type ExecutorAbilities, executorProblems } from './executor-problems.ts';
import { compileLinkTargets, type LinkTargets } from './link-targets.ts';
import type { RestDocument } from './parse-documents.ts';
import { MappingInvalid } from './problem.ts';
import { prepareDocuments, type RouteDocuments, type RouteDocumentsOptions } from './route-documents.ts';
import type { Route } from './route.ts';
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
  successorOf(route: Route): number | undefined;
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
