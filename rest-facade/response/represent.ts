import type { ReadyRequest } from '../http/ready-request.ts';
import type { MissingPart } from './denied-fields.ts';
import { type DataObject, isDataObject } from './result-values.ts';
import type { PageLink } from './shape-page.ts';
import { LINKS } from './shape-resource.ts';
import { toUriReference } from './uri-reference.ts';
import { wrapBody } from './wrap-body.ts';
import { type Link, toAddress } from './write-links.ts';

/** A resource or page that is shaped, with the other pages that it leads to. */
export interface ShapedContent {
  readonly body: unknown;
  /** What it was shaped of. */
  readonly root: DataObject;
  readonly pages?: readonly PageLink[];
}

/** The body in the form that was asked for: in its envelope, or with where one can go from it. */
export function represent({ body, root, pages }: ShapedContent, ready: ReadyRequest, missing?: readonly MissingPart[]): unknown {
  const { shape } = ready.representation;
  if (shape === 'envelope') return wrapBody(body, { isPage: pages !== undefined, requestId: ready.incoming.correlationId, missing });
  if (shape === 'plain' || !isDataObject(body)) return body;
  return { ...body, [LINKS]: { ...selfOf(root, ready), ...ownLinks(body), ...linksTo(pages) } };
}

/** Where the answer is, unless its document says it more exactly. */
function selfOf(root: DataObject, { route, address }: ReadyRequest): Readonly<Record<string, Link>> {
  if (route.location !== undefined) {
    const href = toAddress(route.location, root, address);
    return href === undefined ? {} : { self: { href } };
  }
  if (route.method === 'POST') return {};
  const query = route.method === 'GET' && address.query !== '' ? `?${address.query}` : address.suffix;
  return { self: { href: toUriReference(address.path + query) } };
}

function ownLinks(body: DataObject): DataObject {
  const own = body[LINKS];
  return isDataObject(own) ? own : {};
}

function linksTo(pages: readonly PageLink[] = []): Readonly<Record<string, Link>> {
  return Object.fromEntries(pages.map(({ rel, href }) => [rel, { href }]));
}
