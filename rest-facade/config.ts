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
  docs: z.boolean().default(true).meta({
    description:
      'Describe the resources to whoever asks: OpenAPI at `/openapi.json` and `/openapi.yaml`, and a page that shows it at `/docs`.',
  }),
  webhooks: z.string().min(1).optional().meta({
    description: 'Directory of the documents of webhooks, which the description tells beside the resources. Default: it tells of none.',
    path: true,
  }),
  title: z.string().min(1).default('REST interface').meta({ description: 'What the description calls all of this.' }),
  defaultVersion: count(1, 99, 'version', 'The version that answers requests that name none; it never follows the newest by itself.'),
  mediaTypeVendor: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'A vendor is written in small letters, digits and hyphens.')
    .default('gatefold')
    .meta({ description: 'Who stands in media types of our own: `application/vnd.gatefold.v2+json`.' }),
  deprecationPolicy: z
    .string()
    .regex(/^(?:https?:\/\/|\/)[^\s<>"]*$/, 'An address, or a path that starts with "/".')
    .optional()
    .meta({
      description:
        'Page on how versions end, linked from what is deprecated: an address, or a path below where the facade is mounted. ' +
        'Default: `/docs`, and no page where `docs` is off.',
    }),
  defaultPageSize: count(20, 10_000, 'items', 'Size of a page when the client names none.'),
  maxPageSize: count(100, 10_000, 'items', 'Largest page; a larger wish is cut to it and the answer says so.'),
  maxOffset: count(10_000, 1_000_000_000, 'items', 'Deepest start of a page that is named by its number; beyond it there are cursors.'),
  maxFields: count(50, 1_000, 'names', 'Longest list of names in the parameter `fields`.'),
  maxFieldDepth: count(5, 50, 'levels', 'Longest dotted name in the parameter `fields`.'),
  maxErrorDetails: count(20, 1_000, 'faults', 'So many faults of a request are told one by one.'),
  ifMatchFailure: z
    .union([z.literal(412), z.literal(409)])
    .default(412)
    .meta({
      description: 'Status of `VERSION_MISMATCH` for whoever sent `If-Match`: 412, as HTTP has it, or 409, as without the header.',
    }),
  retryAfterSeconds: count(1, 86_400, 'seconds', 'When a client may try again after 503.'),
  maxCachedSelections: count(1_000, 1_000_000, 'entries', 'Operations narrowed by `fields` that are kept.'),
  maxCachedSelectionBytes: count(33_554_432, 4_294_967_296, 'bytes', 'Memory that the narrowed operations take, with their plans.'),
});

/** The facade's settings: every key read, checked and defaulted. */
export type RestConfig = Readonly<z.infer<typeof restSection>>;

/** What a team writes: every key optional. */
export type RestConfigInput = z.input<typeof restSection>;
