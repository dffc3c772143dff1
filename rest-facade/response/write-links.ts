import type { Principal } from '../../gateway/index.ts';
import { ownerIdOf } from '../../gateway/platform/principal.ts';
import type { RequestAddress } from '../http/request-address.ts';
import type { RouteTable } from '../mapping/compile-route-table.ts';
import type { RestMethod } from '../mapping/directive-values.ts';
import type { LinkMapping } from '../mapping/link.ts';
import type { LocationTemplate, Route } from '../mapping/route.ts';
import { NOTHING_SHOWN } from '../http/state-query.ts';
import { type DataObject, valueAt } from './result-values.ts';

/** A link as clients read it; without a method it is followed by GET. */
export interface Link {
  readonly href: string;
  readonly method?: RestMethod;
}

/** The links of one object: those that its state allows, to what the caller may use. */
export type WriteLinks = (owner: DataObject, links: readonly LinkMapping[]) => Readonly<Record<string, Link>>;

export interface LinkContext {
  readonly address: Pick<RequestAddress, 'prefix' | 'suffix'>;
  readonly version: number;
  readonly principal: Principal;
  readonly table: Pick<RouteTable, 'accessOf' | 'documentOf' | 'isGranted' | 'linkTargets'>;
}

/** Whose objects a caller may use an endpoint with. */
type Reach = 'none' | 'own' | 'all';

/** Writes the links of one answer. What the caller may use is found out once for each endpoint. */
export function createLinkWriter({ address, version, principal, table }: LinkContext): WriteLinks {
  const reaches = new Map<Route, Reach>();
  const callerId = ownerIdOf(principal);
  const reachOf = (target: Route): Reach => {
    if ((target.needsCredentials && principal.kind === 'anonymous') || table.accessOf(target)?.(principal) !== undefined) return 'none';
    return table.isGranted(table.documentOf(target, { fields: NOTHING_SHOWN }), principal) ? 'all' : 'own';
  };
  const mayUse = (link: LinkMapping, object: DataObject): boolean => {
    const target = table.linkTargets.get(link)?.get(version);
    if (target === undefined) return false;
    const reach = reaches.get(target) ?? reachOf(target);
    reaches.set(target, reach);
    if (reach !== 'own' || link.owner === undefined) return reach !== 'none';
    const owner = object[link.owner];
    return callerId !== undefined && owner !== null && owner !== undefined && String(owner) === callerId;
  };
  return (owner, links) => {
    const written: Record<string, Link> = {};
    for (const link of links) {
      if (!isInState(link, owner) || !mayUse(link, owner)) continue;
      const href = toAddress(link.href, owner, address);
      if (href !== undefined) written[link.rel] = link.method === 'GET' ? { href } : { href, method: link.method };
    }
    return written;
  };
}

function isInState({ condition }: LinkMapping, owner: DataObject): boolean {
  if (condition === undefined) return true;
  const value = valueAt(owner, condition.path);
  if (value === null || value === undefined) return false;
  return condition.values === undefined || condition.values.has(typeof value === 'object' ? '' : String(value));
}

/** An address from fields of an object; undefined where one of them is null, or not for the caller to see. */
export function toAddress(
  template: LocationTemplate,
  owner: DataObject,
  { prefix, suffix }: Pick<RequestAddress, 'prefix' | 'suffix'>,
): string | undefined {
  const parts = template.map((part, index) => {
    if (index % 2 === 0) return part;
    const value = owner[part];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : undefined;
  });
  return parts.includes(undefined) ? undefined : prefix + parts.join('') + suffix;
}
