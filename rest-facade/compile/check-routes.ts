import { WRITES_OVER } from './bindings/if-match.ts';
import { isAliveIn, overlap } from './endpoint/lifespan.ts';
import { fromTurns, printTemplate, templateKey } from './endpoint/path-template.ts';
import { compileVersions, routesIn } from './endpoint/versions.ts';
import { findTarget } from './links/link-targets.ts';
import type { ProblemReport } from './mapping-problems.ts';
import type { DeclaredRoute } from './operation-routes.ts';
import type { RestRoute } from './rest-route.ts';
import type { ResultVersion } from './result/validators.ts';

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

export function checkOverlaps(declared: readonly DeclaredRoute[], report: ProblemReport): void {
  const owners = new Map<string, RestRoute[]>();
  for (const { route, endpoint } of declared) {
    const key = `${route.method} ${templateKey(route.template)}`;
    const others = owners.get(key) ?? [];
    const owner = others.find(({ lifespan }) => overlap(lifespan, route.lifespan));
    owners.set(key, [...others, route]);
    if (owner === undefined) continue;
    const [first, second] = [owner, route].sort((a, b) => a.lifespan.since - b.lifespan.since);
    const isChange = first !== undefined && second !== undefined && first.lifespan.since < second.lifespan.since;
    report.at(
      endpoint.node,
      `${owner.operationName} answers ${route.method} on this path already.`,
      isChange
        ? `A version does not change: let ${first.operationName} end before it with \`until: ${second.lifespan.since - 1}\`.`
        : 'Names of parameters make no difference: give it another path or method, or other versions by `since` and `until`.',
    );
  }
}

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
