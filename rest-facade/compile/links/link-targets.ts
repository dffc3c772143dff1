import { isAliveIn } from '../endpoint/lifespan.ts';
import { type PathTemplate, printTemplate, templateKey } from '../endpoint/path-template.ts';
import { compileVersions, routesIn } from '../endpoint/versions.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import type { RestRoute } from '../rest-route.ts';
import type { Shape } from '../result/shape.ts';
import type { LinkMapping } from './link.ts';

/** The endpoint that a link points to, by version. */
export type LinkTargets = ReadonlyMap<LinkMapping, ReadonlyMap<number, RestRoute>>;

/** Finds the target of each link in every version that shows the link. */
export function compileLinkTargets(routes: readonly RestRoute[]): LinkTargets {
  const targets = new Map<LinkMapping, ReadonlyMap<number, RestRoute>>();
  const versions = compileVersions(routes, 1).all.map((version) => ({ version, served: routesIn(routes, version) }));
  for (const { lifespan, result } of routes) {
    for (const link of linksIn(result.shape)) {
      const own = versions.filter(({ version }) => isAliveIn(lifespan, version));
      const found = own.flatMap(({ version, served }) => {
        const target = findTarget(link, served);
        return target === undefined ? [] : [[version, target] as const];
      });
      targets.set(link, new Map(found));
    }
  }
  return targets;
}

/** Reports links without a target in a version that shows them, and objects with links but without a `self` link. */
export function checkLinks(routes: readonly RestRoute[], report: ProblemReport): void {
  const targets = compileLinkTargets(routes);
  const { all } = compileVersions(routes, 1);
  for (const { lifespan, result } of routes) {
    for (const [first] of linkedObjects(result.shape).filter((links) => links.every(({ rel }) => rel !== 'self'))) {
      if (first !== undefined)
        report.at(first.node, 'The object has links, but no link to itself.', 'Add `@link(rel: "self", href: "/…/{id}")`.');
    }
    for (const link of linksIn(result.shape)) {
      const missing = all.find((version) => isAliveIn(lifespan, version) && targets.get(link)?.has(version) !== true);
      if (missing === undefined) continue;
      const what = `${link.method} ${printTemplate(link.template)}`;
      report.at(
        link.node,
        `The link cannot be resolved: version ${missing} has no endpoint ${what}.`,
        'Use the path and the method of an existing endpoint.',
      );
    }
  }
}

/**
 * Finds the route with the same path, or one whose parameters accept the path of the link. Literals win over parameters, as in requests.
 */
export function findTarget(
  { method, template }: Pick<LinkMapping, 'method' | 'template'>,
  routes: readonly RestRoute[],
): RestRoute | undefined {
  const served = routes.filter((route) => route.method === method);
  const key = templateKey(template);
  return served.find((route) => templateKey(route.template) === key) ?? served.find((route) => takes(route.template, template));
}

function takes(route: PathTemplate, link: PathTemplate): boolean {
  return (
    route.length === link.length &&
    route.every((segment, index) => {
      const sent = link[index];
      return 'parameter' in segment || (sent !== undefined && 'literal' in sent && sent.literal === segment.literal);
    })
  );
}

/** Returns the links of each object in a shape that has links, at every depth. */
function linkedObjects(shape: Shape): readonly (readonly LinkMapping[])[] {
  const { links = [] } = shape;
  const below = [...shape.values()].flatMap(({ fields }) => (fields === undefined ? [] : linkedObjects(fields)));
  return links.length === 0 ? below : [links, ...below];
}

/** Returns all links of a shape, at every depth. */
export function linksIn(shape: Shape): readonly LinkMapping[] {
  return linkedObjects(shape).flat();
}
