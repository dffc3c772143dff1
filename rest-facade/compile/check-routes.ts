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
 * Checks that the read and the write of a resource agree about its version. A client that receives an entity tag must be able to send it,
 * and a client that must send an entity tag must be able to receive it. Otherwise one of two concurrent updates is lost without an error.
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
      const hint = 'Add a variable `$version: Int @ifMatch` and pass it to the argument that the subgraph compares.';
      report.at(
        endpoint.node,
        `${route.operationName} modifies a resource with a version, but does not accept the version that the client expects.`,
        hint,
      );
    } else if (version === undefined && ifMatch !== undefined) {
      const hint = 'Mark the version with @version in the result of the GET operation on the same path.';
      report.at(
        endpoint.node,
        `${route.operationName} expects a version, but the GET operation on the same path does not return one.`,
        hint,
      );
    } else if (version !== undefined && ifMatch !== undefined && version.isInteger !== ifMatch.isInteger) {
      report.at(
        endpoint.node,
        `${route.operationName} compares a version of another type than the GET operation returns.`,
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
      `${owner.operationName} already serves ${route.method} on this path.`,
      isChange
        ? `The endpoint changes in a later version: end ${first.operationName} first with \`until: ${second.lifespan.since - 1}\`.`
        : 'Parameter names do not distinguish paths. Use another path or method, or separate the versions with `since` and `until`.',
    );
  }
}

/**
 * Reports a location that no GET route of the same version serves. The client that created a resource would be sent to a 404 (RFC 9110,
 * section 15.3.2).
 */
export function checkLocations(declared: readonly DeclaredRoute[], report: ProblemReport): void {
  const routes = declared.map(({ route }) => route);
  const versions = compileVersions(routes, 1).all;
  for (const { route, endpoint } of declared) {
    // A location with another status is reported separately.
    if (route.location === undefined || route.status !== 201) continue;
    const template = fromTurns(route.location);
    const missing = versions.find(
      (version) => isAliveIn(route.lifespan, version) && findTarget({ method: 'GET', template }, routesIn(routes, version)) === undefined,
    );
    if (missing === undefined) continue;
    const what = `GET ${printTemplate(template)}`;
    report.at(
      endpoint.node,
      `The location cannot be resolved: version ${missing} has no endpoint ${what}.`,
      'Use the path of an endpoint that reads the created resource.',
    );
  }
}
