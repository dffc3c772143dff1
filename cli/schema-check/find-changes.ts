import { compareSchemas, type SchemaChange } from './compare-schemas.ts';
import { findBrokenDocuments } from './find-broken-documents.ts';
import { findBrokenRoutes, type SchemaPair } from './find-broken-routes.ts';
import { type ManifestFile, readTrustedDocuments } from './read-trusted-documents.ts';
import { readWebhookEvents } from './read-webhook-events.ts';
import type { UsingDocument } from './schema-user.ts';
import { affectedCoordinate, usedCoordinates } from './used-coordinates.ts';

/** Everything that uses a schema and is checked with it. */
export interface SchemaUsers {
  /** Directory of the REST documents. */
  readonly rest: string | undefined;
  readonly manifests: readonly ManifestFile[];
  /** Directory of the webhook documents. */
  readonly webhooks: string | undefined;
}

/**
 * Returns the changes between two schemas, with the routes, persisted documents and webhook events that each affects, after the errors that
 * the new schema causes in these.
 *
 * @throws CommandFailed if a file or a directory cannot be read
 */
export async function findChanges(
  pair: SchemaPair,
  { rest, manifests, webhooks }: SchemaUsers,
  withDescriptions: boolean,
): Promise<readonly SchemaChange[]> {
  const checked = rest === undefined ? { routes: [], changes: [] } : await findBrokenRoutes(rest, pair);
  const documents = [...(await readTrustedDocuments(manifests)), ...(webhooks === undefined ? [] : await readWebhookEvents(webhooks))];
  const { valid, changes } = findBrokenDocuments(documents, pair);
  const differences = await compareSchemas(pair.previous, pair.next, withDescriptions);
  return [...checked.changes, ...changes, ...withUsers(differences, [...checked.routes, ...valid], pair)];
}

function withUsers(
  changes: readonly SchemaChange[],
  documents: readonly UsingDocument[],
  { previous }: SchemaPair,
): readonly SchemaChange[] {
  const used = documents.map(({ user, document }) => ({ user, coordinates: usedCoordinates(previous, document) }));
  return changes.map((change) => {
    const coordinate = affectedCoordinate(change);
    return { ...change, usedBy: used.flatMap(({ user, coordinates }) => (coordinates.has(coordinate) ? [user] : [])) };
  });
}
