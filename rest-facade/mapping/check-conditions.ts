import type { DeclaredRoute } from './compile-operation.ts';
import { templateKey } from './path-template.ts';
import type { ProblemReport } from './problem.ts';
import type { ResultVersion } from './validators.ts';

const WRITES_OVER: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Reading and writing of one resource agree about its version: a client that was given an entity tag can send it back, and one that
 * must send one was given it. Otherwise of two who change the same thing at once, one loses his change and never hears of it.
 */
export function checkConditions(declared: readonly DeclaredRoute[], report: ProblemReport): void {
  const versions = new Map<string, ResultVersion>();
  for (const { route } of declared) {
    if (route.method !== 'GET' || route.result.validators.version === undefined) continue;
    versions.set(templateKey(route.template), route.result.validators.version);
  }
  for (const { route, endpoint } of declared) {
    if (!WRITES_OVER.has(route.method)) continue;
    const version = versions.get(templateKey(route.template));
    const { ifMatch } = route.bindings;
    if (version !== undefined && ifMatch === undefined) {
      const hint = 'Give it a variable `$version: Int @ifMatch`, and hand it to the argument that the subgraph compares.';
      report.at(endpoint.node, `${route.operationName} writes over what has a version, and cannot be told which one.`, hint);
    } else if (version === undefined && ifMatch !== undefined) {
      const hint = 'Mark the version in the result of GET on the same path with @version.';
      report.at(endpoint.node, `${route.operationName} takes a version that nobody was told.`, hint);
    } else if (version !== undefined && ifMatch !== undefined && version.isInteger !== ifMatch.isInteger) {
      report.at(
        endpoint.node,
        `${route.operationName} compares another type than the version has.`,
        'Give the variable the type of the field with @version.',
      );
    }
  }
}
