import { createHash } from 'node:crypto';
import type { WebhookDocument } from '../documents/webhook-document.ts';
import type { Owner } from '../owners/owner-directory.ts';
import { type Permissions, storedPermissions } from '../owners/permissions.ts';
import type { EndpointRow } from '../tables.ts';

/** Length of the hash of the permissions at the end of a key. */
export const PERMISSIONS_LENGTH = 12;

/** One stream: the events of one document for one owner with certain permissions, shared by all endpoints that receive them. */
export interface OwnerStream {
  /** Key in `cursors`. */
  readonly key: string;
  /** Prefix of the key, shared with the streams of the same events for the same owner with other permissions. */
  readonly family: string;
  readonly document: WebhookDocument;
  readonly owner: Owner;
  /** One of the endpoints, with which the permissions of the owner are checked. */
  readonly endpoint: EndpointRow;
}

/** Returns the streams that ACTIVE endpoints require. Events without a document are ignored. */
export function streamsOf(
  active: readonly EndpointRow[],
  documents: ReadonlyMap<string, WebhookDocument>,
): ReadonlyMap<string, OwnerStream> {
  const streams = new Map<string, OwnerStream>();
  for (const endpoint of active) {
    const owner = { id: endpoint.ownerId, ...storedPermissions(endpoint) };
    const permissions = hashOf(owner);
    for (const event of endpoint.events) {
      const document = documents.get(event);
      if (document === undefined) continue;
      const family = familyOf(event, owner.id);
      const key = family + permissions;
      if (!streams.has(key)) streams.set(key, { key, family, document, owner, endpoint });
    }
  }
  return streams;
}

function hashOf({ roles, scopes }: Permissions): string {
  return createHash('sha256')
    .update(JSON.stringify([roles, scopes]))
    .digest('base64url')
    .slice(0, PERMISSIONS_LENGTH);
}

/** Returns the common prefix of the keys of all streams of these events for this owner. */
export function familyOf(event: string, ownerId: string): string {
  return `${event} ${ownerId} `;
}
