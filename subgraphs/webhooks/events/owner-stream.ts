import { createHash } from 'node:crypto';
import type { Owner } from '../delivery/check-owner.ts';
import type { WebhookDocument } from '../documents/webhook-document.ts';
import type { EndpointRow } from '../tables.ts';

/** Letters at the end of a key that stand for the roles. */
export const RIGHTS_LENGTH = 12;

/** One stream: the events of one document, as one owner may see them with certain roles, for all endpoints that want them. */
export interface OwnerStream {
  /** Its place in `cursors`. */
  readonly key: string;
  /** What its key has in common with those of the same events, for the same owner with other roles. */
  readonly family: string;
  readonly document: WebhookDocument;
  readonly owner: Owner;
  /** One of the endpoints, by which the owner's rights are looked up. */
  readonly endpoint: EndpointRow;
}

/** The streams that ACTIVE endpoints want. Events of which there is no document any more are nobody's. */
export function streamsOf(
  active: readonly EndpointRow[],
  documents: ReadonlyMap<string, WebhookDocument>,
): ReadonlyMap<string, OwnerStream> {
  const streams = new Map<string, OwnerStream>();
  for (const endpoint of active) {
    const owner = { id: endpoint.ownerId, roles: [...endpoint.ownerRoles].sort() };
    const rights = createHash('sha256').update(JSON.stringify(owner.roles)).digest('base64url').slice(0, RIGHTS_LENGTH);
    for (const event of endpoint.events) {
      const document = documents.get(event);
      if (document === undefined) continue;
      const family = familyOf(event, owner.id);
      const key = family + rights;
      if (!streams.has(key)) streams.set(key, { key, family, document, owner, endpoint });
    }
  }
  return streams;
}

/** What the keys of all streams of these events for this owner begin with. */
export function familyOf(event: string, ownerId: string): string {
  return `${event} ${ownerId} `;
}
