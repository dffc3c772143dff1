import { z } from 'zod';
import { sha256Of, toDocumentId } from './document-reference.ts';
import type { TrustedDocument } from './trusted-documents.ts';

/** Value of `format` in Apollo manifests. */
export const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

/** Manifest of `generate-persisted-query-manifest` and `gatefold persist`. Only the latter includes the client. */
const apolloManifest = z.object({
  format: z.literal(APOLLO_FORMAT),
  version: z.literal(1),
  client: z.object({ name: z.string().min(1), version: z.string().optional() }).optional(),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string().min(1), clientName: z.string().nullish() })),
});

/** Manifest of the Relay compiler and GraphQL Code Generator. */
const relayManifest = z.record(z.string().min(1), z.string().min(1));

/**
 * Reads the documents of a manifest.
 *
 * @param path path of the file; with the extension `.graphql` or `.gql`, the file is one document whose id is the SHA-256 hash of its text
 * @param client client of the documents, if the manifest does not name one
 * @throws Error that describes the mistake
 */
export function readManifest(path: string, text: string, client: string): readonly TrustedDocument[] {
  if (/\.(?:graphql|gql)$/.test(path)) return [{ id: sha256Of(text), text, client }];
  const content: unknown = JSON.parse(text);
  return isApollo(content) ? readApollo(content, client) : readRelay(content, client);
}

function isApollo(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'format' in content && 'operations' in content;
}

function readApollo(content: unknown, client: string): readonly TrustedDocument[] {
  const { client: owner, operations } = check(apolloManifest, content);
  const name = owner === undefined ? client : [owner.name, owner.version].filter(Boolean).join('@');
  return operations.map(({ id, body, clientName }) => ({ id: toDocumentId(id), text: body, client: clientName ?? name }));
}

function readRelay(content: unknown, client: string): readonly TrustedDocument[] {
  const texts = check(relayManifest, Array.isArray(content) ? Object.fromEntries(content) : content);
  return Object.entries(texts).map(([id, text]) => ({ id: toDocumentId(id), text, client }));
}

function check<T>(schema: z.ZodType<T>, content: unknown): T {
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  throw new Error(`the file is not an Apollo or Relay manifest: ${z.prettifyError(checked.error)}`);
}
