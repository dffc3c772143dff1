import { z } from 'zod';

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const manifest = z
  .string()
  .min(1)
  .meta({
    description:
      'File with the trusted documents of a client: an Apollo or Relay manifest, or a `.graphql` document. Reloaded when it changes. ' +
      'Clients execute each document by its id.',
    path: true,
  });

/** Section `persisted`: documents that clients reference by hash or id instead of sending their text. */
export const persisted = z.strictObject({
  automatic: z.boolean().default(true).meta({
    description: 'Enable automatic persisted queries: clients send the SHA-256 hash of a document, and its text only once.',
  }),
  manifests: z.record(z.string(), manifest).default({}),
  mode: z
    .enum(['off', 'log', 'safelist', 'id-required'])
    .default('off')
    .meta({
      description:
        'How documents that are not in a manifest are handled. `off` executes them. `log` executes them and logs each once. ' +
        '`safelist` rejects them. `id-required` also rejects documents that are sent without an id. ' +
        '`safelist` and `id-required` disable automatic persisted queries.',
    }),
  maxManifestBytes: count(20_971_520, 1_073_741_824, 'bytes', 'Maximum size of a manifest file.'),
  maxDocumentBytes: count(
    16_384,
    1_048_576,
    'bytes',
    'Maximum size of a document that is stored. Larger documents are executed but not stored.',
  ),
  timeToLiveMs: count(86_400_000, 2_592_000_000, 'milliseconds', 'How long a document is stored after a client has sent it.'),
  maxEntries: count(1_000, 1_000_000, 'documents', 'Maximum number of documents that are stored in this process.'),
  maxBytes: count(16_777_216, 1_073_741_824, 'bytes', 'Maximum memory for documents that are stored in this process.'),
  maxSharedEntries: count(
    10_000,
    1_000_000,
    'documents',
    'Maximum number of documents that are stored in Redis for all gateways of the graph.',
  ),
  registrationsPerMinute: count(
    60,
    1_000_000,
    'documents',
    'Maximum number of new documents per minute that are stored for one client. Further documents are executed but not stored.',
  ),
});

/** Parsed section. */
export type PersistedSection = z.output<typeof persisted>;
