import type { Principal } from '../../gateway/index.ts';
import { ownerIdOf } from '../../gateway/platform/principal.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { LocationTemplate } from '../compile/endpoint/path-template.ts';
import type { LinkMapping } from '../compile/links/link.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { NO_FIELDS } from '../compile/result/field-mask.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { RequestAddress } from '../request/request-address.ts';
import { type ResultObject, valueAt } from './result-data.ts';

/** A link in a response. Without a method, clients use GET. */
export interface Link {
  readonly href: string;
  readonly method?: RestMethod;
}

/** Writes the links of one object: those that its state allows and that the caller has permission for. */
export type WriteLinks = (owner: ResultObject, links: readonly LinkMapping[]) => Readonly<Record<string, Link>>;

/** The data of a request that its links depend on. */
export interface LinkContext {
  readonly address: Pick<RequestAddress, 'prefix' | 'suffix'>;
  readonly resource: { readonly version: number };
  readonly principal: Principal;
  readonly table: Pick<RouteTable, 'accessOf' | 'documentOf' | 'isGranted' | 'linkTargets'>;
}

/** Creates the link writer of one response. Permissions are computed once for each endpoint. */
export function createLinkWriter({ address, resource, principal, table }: LinkContext): WriteLinks {
  const isUsable = oncePerRoute((target) => {
    return !(target.needsCredentials && principal.kind === 'anonymous') && table.accessOf(target)?.(principal) === undefined;
  });
  const isGranted = oncePerRoute((target) => table.isGranted(table.documentOf(target, { fields: NO_FIELDS }), principal));
  const callerId = ownerIdOf(principal);
  const isOwner = (ownerId: unknown): boolean => callerId !== undefined && leafText(ownerId) === callerId;
  const mayUse = (link: LinkMapping, object: ResultObject): boolean => {
    const target = table.linkTargets.get(link)?.get(resource.version);
    if (target === undefined || !isUsable(target)) return false;
    return link.owner === undefined || isOwner(object[link.owner]) || isGranted(target);
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

function oncePerRoute(decide: (route: RestRoute) => boolean): (route: RestRoute) => boolean {
  const decided = new Map<RestRoute, boolean>();
  return (route) => {
    const known = decided.get(route) ?? decide(route);
    decided.set(route, known);
    return known;
  };
}

function isInState({ condition }: LinkMapping, owner: ResultObject): boolean {
  if (condition === undefined) return true;
  const value = valueAt(owner, condition.path);
  if (condition.values === undefined) return value !== null && value !== undefined;
  const text = leafText(value);
  return text !== undefined && condition.values.has(text);
}

/** Converts a scalar to text. Returns undefined for null, and for objects and lists of custom scalars. */
function leafText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Builds a path from fields of an object. Returns undefined if one of them is null or not visible to the caller. */
export function toAddress(
  template: LocationTemplate,
  owner: ResultObject,
  { prefix, suffix }: Pick<RequestAddress, 'prefix' | 'suffix'>,
): string | undefined {
  const parts = template.map((part, index) => {
    if (index % 2 === 0) return part;
    const value = owner[part];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : undefined;
  });
  return parts.includes(undefined) ? undefined : prefix + parts.join('') + suffix;
}
