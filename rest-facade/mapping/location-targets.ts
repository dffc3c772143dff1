import type { DeclaredRoute } from './compile-operation.ts';
import { compileVersions, routesIn } from './compile-versions.ts';
import { isAliveIn } from './lifespan.ts';
import { findTarget } from './link-targets.ts';
import { fromTurns, printTemplate } from './path-template.ts';
import type { ProblemReport } from './problem.ts';

/**
 * A location at which the version that tells it has nothing to read: whoever made something would be sent to a 404
 * (RFC 9110, section 15.3.2).
 */
export function checkLocations(declared: readonly DeclaredRoute[], report: ProblemReport): void {
  const routes = declared.map(({ route }) => route);
  const versions = compileVersions(routes, 1).all;
  for (const { route, endpoint } of declared) {
    // A location of another status is a mistake of its own.
    if (route.location === undefined || route.status !== 201) continue;
    const template = fromTurns(route.location);
    const missing = versions.find(
      (version) => isAliveIn(route.lifespan, version) && findTarget({ method: 'GET', template }, routesIn(routes, version)) === undefined,
    );
    if (missing === undefined) continue;
    const what = `GET ${printTemplate(template)}`;
    report.at(
      endpoint.node,
      `The location leads nowhere: version ${missing} has no ${what}.`,
      'Name the path of an endpoint that reads it.',
    );
  }
}
