import type { DocumentNode } from 'graphql';

/** A REST route, a persisted document or a webhook event that uses elements of the schema. */
export type SchemaUser =
  | {
      readonly kind: 'route';
      /** Method and path: `GET /users/{id}`. */
      readonly route: string;
      readonly operation: string;
    }
  | {
      readonly kind: 'document';
      readonly client: string;
      readonly id: string;
      /** Names of the operations, separated by commas. Null if all are anonymous. */
      readonly operation: string | null;
      /** Manifest with the document. */
      readonly file: string;
    }
  | { readonly kind: 'webhook'; readonly event: string; readonly operation: string; readonly file: string };

/** A user with the operations that it executes. */
export interface UsingDocument {
  readonly user: SchemaUser;
  readonly document: DocumentNode;
}

/** Describes a user in one line. */
export function describeUser(user: SchemaUser): string {
  if (user.kind === 'route') return `route ${user.route} (${user.operation})`;
  if (user.kind === 'webhook') return `webhook event ${user.event} (${user.operation} in ${user.file})`;
  return `document ${user.operation ?? 'without a name'} of ${user.client} (id ${shorten(user.id)} in ${user.file})`;
}

/** Maximum length of an id in text. It is longer than the ids that people choose and shorter than hashes. @unit characters */
const MAX_ID_LENGTH = 24;

function shorten(id: string): string {
  return id.length <= MAX_ID_LENGTH ? id : `${id.slice(0, 12)}…`;
}
