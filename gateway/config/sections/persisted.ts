import { z } from 'zod';

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const manifest = z
  .string()
  .min(1)
  .meta({
    description:
      'File with the trusted documents of a client, watched: a manifest of Apollo or Relay, or a `.graphql` document. ' +
      'Each is executed by its id.',
    path: true,
  });

/** Documents that clients name instead of sending them. */
export const persisted = z.strictObject({
  automatic: z.boolean().default(true).meta({
    description: 'Automatic persisted queries: clients send the SHA-256 of a document, and its text once.',
  }),
  manifests: z.record(z.string(), manifest).default({}),
  mode: z
    .enum(['off', 'log', 'safelist', 'id-required'])
    .default('off')
    .meta({
      description:
        'What of a text that stands in no manifest: `off` executes it; `log` too, and reports it in the log once; `safelist` refuses it; ' +
        '`id-required` refuses every text that comes without its id. The last two leave no automatic persisted queries.',
    }),
  maxManifestBytes: count(20_971_520, 1_073_741_824, 'bytes', 'Largest manifest that is read.'),
  maxDocumentBytes: count(16_384, 1_048_576, 'bytes', 'Longest document that is kept for clients; a longer one is executed and not kept.'),
  timeToLiveMs: count(86_400_000, 2_592_000_000, 'milliseconds', 'How long a document is kept after it was sent.'),
  maxEntries: count(1_000, 1_000_000, 'documents', 'Documents that are kept in this process.'),
  maxBytes: count(16_777_216, 1_073_741_824, 'bytes', 'What they may take.'),
  maxSharedEntries: count(10_000, 1_000_000, 'documents', 'Documents that are kept in Redis, for all gateways of the graph.'),
  registrationsPerMinute: count(60, 1_000_000, 'documents', 'New documents of one client that are kept; more are executed and not kept.'),
});

/** The section as it was read. */
export type PersistedSection = z.output<typeof persisted>;
