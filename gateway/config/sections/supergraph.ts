import { z } from 'zod';

const milliseconds = (fallback: number, min: number, max: number, description: string) =>
  z.int().min(min).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(0).max(max).default(fallback).meta({ description, unit });

const httpUrl = (description: string) => z.url({ protocol: /^https?$/ }).meta({ description });

const headers = (description: string) => z.record(z.string(), z.string().min(1).meta({ description, secret: true })).default({});

const subgraph = z.strictObject({
  url: httpUrl('Address of the subgraph, as it is written into the supergraph.'),
  schema: z.string().min(1).optional().meta({
    description: 'File with its SDL, watched. Without one the subgraph is asked for its SDL (`{ _service { sdl } }`), again and again.',
    path: true,
  }),
  headers: headers('Header sent when the subgraph is asked for its SDL.'),
});

const uplink = z.strictObject({
  key: z.string().min(1).optional().meta({ description: 'Key of the graph.', secret: true }),
  graphRef: z.string().min(1).optional().meta({ description: 'Graph and variant: `graph@variant`.' }),
  endpoints: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .default(['https://uplink.api.apollographql.com/', 'https://aws.uplink.api.apollographql.com/'])
    .meta({ description: 'Addresses that are asked in turn.' }),
});

/** Where the supergraph comes from, and how it is replaced while it is served. */
export const supergraph = z.strictObject({
  file: z.string().min(1).optional().meta({ description: 'File with the supergraph SDL to serve, watched.', path: true }),
  sdl: z.string().min(1).optional().meta({ description: 'The supergraph SDL itself.' }),
  url: httpUrl('Address that answers a GET with the supergraph SDL, polled; redirects are not followed.').optional(),
  headers: headers('Header sent with that GET.'),
  subgraphs: z.record(z.string(), subgraph).optional(),
  uplink: uplink.prefault({}),
  pollIntervalMs: milliseconds(10_000, 1_000, 86_400_000, 'Between two looks at the source; up to a fifth is added at random.'),
  requestTimeoutMs: milliseconds(30_000, 1, 600_000, 'Until a source must have answered in full.'),
  maxBytes: z.int().min(1).max(1_073_741_824).default(20_971_520).meta({ description: 'Largest SDL that is read.', unit: 'bytes' }),
  compositionTimeoutMs: milliseconds(60_000, 1, 3_600_000, 'Until subgraphs must have been composed.'),
  cacheFile: z.string().min(1).optional().meta({
    description: 'File in which the last supergraph that could be served is kept; served at start when the network has none.',
    path: true,
  }),
  drainTimeoutMs: milliseconds(30_000, 1, 3_600_000, 'How long requests may hold a replaced supergraph when others need its place.'),
  maxGenerations: z.int().min(2).max(100).default(3).meta({
    description: 'Supergraphs in memory at once: the one served, and older ones until their last request ends.',
    unit: 'supergraphs',
  }),
  warmOperations: count(100, 10_000, 'operations', 'Most used operations that are planned for a new supergraph before it is served.'),
  warmTimeoutMs: milliseconds(10_000, 1, 600_000, 'Until a new supergraph is served though not all of them are planned.'),
});

/** The section as it was read. */
export type SupergraphSection = z.output<typeof supergraph>;

/** The kinds of sources a supergraph can come from. */
export type SupergraphSourceKind = 'file' | 'sdl' | 'url' | 'subgraphs' | 'uplink';

/**
 * The sources that a section names. Uplink counts where nothing else is named only: its variables may stand in the
 * environment for other tools.
 */
export function namedSources(
  section: Pick<SupergraphSection, 'file' | 'sdl' | 'url' | 'subgraphs' | 'uplink'>,
): readonly SupergraphSourceKind[] {
  const named = (['file', 'sdl', 'url', 'subgraphs'] as const).filter((kind) => section[kind] !== undefined);
  const hasUplink = section.uplink.key !== undefined && section.uplink.graphRef !== undefined;
  return named.length === 0 && hasUplink ? ['uplink'] : named;
}
