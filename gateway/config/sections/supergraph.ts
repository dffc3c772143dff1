import { z } from 'zod';

const milliseconds = (fallback: number, min: number, max: number, description: string) =>
  z.int().min(min).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(0).max(max).default(fallback).meta({ description, unit });

const httpUrl = (description: string) => z.url({ protocol: /^https?$/ }).meta({ description });

const headers = (description: string) => z.record(z.string(), z.string().min(1).meta({ description, secret: true })).default({});

const composedSubgraph = z
  .strictObject({
    url: httpUrl('URL of the subgraph that is written into the supergraph. Required if there are no `files`.').optional(),
    files: z.array(z.string().min(1)).min(1).optional().meta({
      description:
        'Files with the SDL of the subgraph, which are read as one document. Read again when they change. Default: the SDL is fetched from the subgraph at `url` (`{ _service { sdl } }`).',
      path: true,
      expected: 'a list of paths',
    }),
    headers: headers('Header that is sent when the SDL is fetched from the subgraph.'),
  })
  .refine(({ url, files }) => url !== undefined || files !== undefined, { error: 'expected the key url, the key files, or both' });

/** Subgraphs to compose, by name, as in the section `supergraph` and in a composition file. */
export const composedSubgraphs = z.record(z.string().min(1), composedSubgraph);

/** Parsed subgraphs to compose. */
export type ComposedSubgraphs = z.output<typeof composedSubgraphs>;

const uplink = z.strictObject({
  key: z.string().min(1).optional().meta({ description: 'API key of the graph.', secret: true }),
  graphRef: z.string().min(1).optional().meta({ description: 'Graph and variant, in the form `graph@variant`.' }),
  endpoints: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .default(['https://uplink.api.apollographql.com/', 'https://aws.uplink.api.apollographql.com/'])
    .meta({ description: 'URLs of the Uplink endpoints, which are tried in turn.' }),
});

/** Section `supergraph`: the source of the supergraph, and how a new version replaces the one that is being served. */
export const supergraph = z.strictObject({
  file: z.string().min(1).optional().meta({ description: 'File with the supergraph SDL to serve. Reloaded when it changes.', path: true }),
  sdl: z.string().min(1).optional().meta({ description: 'Supergraph SDL to serve, inline.' }),
  url: httpUrl('URL that is polled with GET for the supergraph SDL. Redirects are not followed.').optional(),
  headers: headers('Header that is sent with requests to `supergraph.url`.'),
  subgraphs: composedSubgraphs.optional(),
  uplink: uplink.prefault({}),
  pollIntervalMs: z.int().min(100).max(86_400_000).optional().meta({
    description:
      'Interval between two polls of the source. Up to 20 % is added at random. Default: 500 in the dev profile, 10000 in production.',
    unit: 'milliseconds',
  }),
  requestTimeoutMs: milliseconds(30_000, 1, 600_000, 'Timeout for receiving the complete response of a source.'),
  maxBytes: z
    .int()
    .min(1)
    .max(1_073_741_824)
    .default(20_971_520)
    .meta({ description: 'Maximum size of the SDL that is read.', unit: 'bytes' }),
  compositionTimeoutMs: milliseconds(60_000, 1, 3_600_000, 'Timeout for composing the subgraphs.'),
  cacheFile: z.string().min(1).optional().meta({
    description: 'File in which the last valid supergraph is stored. It is served at startup if the network source is unavailable.',
    path: true,
  }),
  storeIndexes: z.boolean().default(true).meta({
    description:
      'Whether everything that is derived from a supergraph is stored, so that the next start, and the next reload of the same supergraph, does not read it as a whole. Supergraphs with connectors are always read.',
  }),
  indexDirectory: z.string().min(1).optional().meta({
    description:
      'Directory of the stored indexes. Only the user of the gateway may have write access, because the indexes contain access rules. Default: for the command `serve`, a directory of the installation; without the command, no indexes are stored.',
    path: true,
  }),
  drainTimeoutMs: milliseconds(
    30_000,
    1,
    3_600_000,
    'How long requests may continue on a replaced supergraph when `maxGenerations` is reached.',
  ),
  maxGenerations: z.int().min(2).max(100).default(3).meta({
    description: 'Maximum number of supergraphs in memory: the one that is served, and older ones until their last request has ended.',
    unit: 'supergraphs',
  }),
  warmOperations: count(
    100,
    10_000,
    'operations',
    'Number of most frequently used operations that are planned for a new supergraph before it is served.',
  ),
  warmSamples: count(
    0,
    1_000,
    'operations',
    'Number of generated operations that are prepared after the command `serve` has started, so that the first operations of clients do not run code that V8 has not optimized. No subgraph receives a request. 100 operations take about a second of processor time while the gateway has no requests, and up to 15 % more memory. 0: no operations.',
  ),
  warmTimeoutMs: milliseconds(
    10_000,
    1,
    600_000,
    'Timeout for planning the `warmOperations`. After it, the new supergraph is served even if some operations are not planned.',
  ),
});

/** Parsed section. */
export type SupergraphSection = z.output<typeof supergraph>;

/** Parsed section with the defaults of the profile. */
export type ResolvedSupergraphSection = SupergraphSection & { readonly pollIntervalMs: number };

/** Kind of source from which a supergraph is loaded. */
export type SupergraphSourceKind = 'file' | 'sdl' | 'url' | 'subgraphs' | 'uplink';

/**
 * Returns the sources that a section names. Uplink counts only if no other source is named, because its variables may be in the environment
 * for other tools.
 */
export function namedSources(
  section: Pick<SupergraphSection, 'file' | 'sdl' | 'url' | 'subgraphs' | 'uplink'>,
): readonly SupergraphSourceKind[] {
  const named = (['file', 'sdl', 'url', 'subgraphs'] as const).filter((kind) => section[kind] !== undefined);
  const hasUplink = section.uplink.key !== undefined && section.uplink.graphRef !== undefined;
  return named.length === 0 && hasUplink ? ['uplink'] : named;
}
