import type { Principal } from '../../gateway/index.ts';
import type { RequestAddress } from '../http/request-address.ts';
import type { RouteTable } from '../mapping/compile-route-table.ts';
import type { RestMethod } from '../mapping/directive-values.ts';
import type { LinkMapping } from '../mapping/link.ts';
import type { LocationTemplate, Route } from '../mapping/route.ts';
import type { DataObject } from './result-values.ts';

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
  readonly table: Pick<RouteTable, 'accessOf' | 'linkTargets'>;
}

/** Writes the links of one answer. What the caller may use is found out once for each endpoint. */
export function createLinkWriter({ address, version, principal, table }: LinkContext): WriteLinks {
  const usable = new Map<Route, boolean>();
  const mayUse = (link: LinkMapping): boolean => {
    const target = table.linkTargets.get(link)?.get(version);
    if (target === undefined) return false;
    const known = usable.get(target);
    if (known !== undefined) return known;
    const isDenied = (target.needsCredentials && principal.kind === 'anonymous') || table.accessOf(target)?.(principal) !== undefined;
    usable.set(target, !isDenied);
    return !isDenied;
  };
  return (owner, links) => {
    const written: Record<string, Link> = {};
    for (const link of links) {
      if (!isInState(link, owner) || !mayUse(link)) continue;
      const href = toAddress(link.href, owner, address);
      if (href !== undefined) written[link.rel] = link.method === 'GET' ? { href } : { href, method: link.method };
    }
    return written;
  };
}

function isInState({ condition }: LinkMapping, owner: DataObject): boolean {
  return condition === undefined || condition.values.has(String(owner[condition.field]));
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
