import { z } from 'zod';

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const mount = z.string().regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'A mount is empty, or a path that starts with "/" and does not end with one.');

/** The facade's section of the configuration: where the resources are, and how much of them one answer has. */
export const restSection = z.strictObject({
  documents: z.string().min(1).default('schema/rest').meta({
    description: 'Directory of the REST documents: GraphQL operations with their endpoints, in .graphql files.',
    path: true,
  }),
  mounts: z
    .array(mount)
    .min(1)
    .default(['', '/api'])
    .meta({ description: 'Paths below which every resource answers; an empty text is the root.' }),
  defaultPageSize: count(20, 10_000, 'items', 'Size of a page when the client names none.'),
  maxPageSize: count(100, 10_000, 'items', 'Largest page; a larger wish is cut to it and the answer says so.'),
  maxOffset: count(10_000, 1_000_000_000, 'items', 'Deepest start of a page that is named by its number; beyond it there are cursors.'),
  maxFields: count(50, 1_000, 'names', 'Longest list of names in the parameter `fields`.'),
  maxFieldDepth: count(5, 50, 'levels', 'Longest dotted name in the parameter `fields`.'),
  maxErrorDetails: count(20, 1_000, 'faults', 'So many faults of a request are told one by one.'),
  retryAfterSeconds: count(1, 86_400, 'seconds', 'When a client may try again after 503.'),
  maxCachedSelections: count(1_000, 1_000_000, 'entries', 'Operations narrowed by `fields` that are kept.'),
  maxCachedSelectionBytes: count(4_194_304, 4_294_967_296, 'bytes', 'Size of the narrowed operations that are kept.'),
});

/** The facade's settings: every key read, checked and defaulted. */
export type RestConfig = Readonly<z.infer<typeof restSection>>;

/** What a team writes: every key optional. */
export type RestConfigInput = z.input<typeof restSection>;
