import { z } from 'zod';

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const mount = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'Use an empty string, or a path that starts with "/" and does not end with "/".');

/** Configuration section of the facade: paths, versions and limits of the REST API. */
export const restSection = z.strictObject({
  documents: z.string().min(1).default('schema/rest').meta({
    description: 'Directory of the REST documents: .graphql files with GraphQL operations and their endpoints.',
    path: true,
  }),
  mounts: z
    .array(mount)
    .min(1)
    .default(['', '/api'])
    .meta({ description: 'Paths under which every resource is served. An empty string is the root.' }),
  docs: z.boolean().default(true).meta({
    description: 'Serve the API description: OpenAPI at `/openapi.json` and `/openapi.yaml`, and a documentation page at `/docs`.',
  }),
  webhooks: z.string().min(1).optional().meta({
    description: 'Directory of the webhook documents that the API description includes. Default: the description contains no webhooks.',
    path: true,
  }),
  title: z.string().min(1).default('REST API').meta({ description: 'Title of the API description.' }),
  defaultVersion: count(1, 99, 'version', 'Version for requests that do not name one. It does not change when a newer version is added.'),
  mediaTypeVendor: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'Use only lower-case letters, digits and hyphens for the vendor.')
    .default('gatefold')
    .meta({ description: 'Vendor name in versioned media types: `application/vnd.gatefold.v2+json`.' }),
  deprecationPolicy: z
    .string()
    .regex(/^(?:https?:\/\/|\/)[^\s<>"]*$/, 'Use an absolute HTTP URL, or a path that starts with "/".')
    .optional()
    .meta({
      description:
        'Page about the deprecation of versions, linked from deprecated endpoints: a URL, or a path relative to the mount path of the facade. ' +
        'Default: `/docs`, or no link if `docs` is off.',
    }),
  defaultPageSize: count(20, 10_000, 'items', 'Page size for requests that do not name one.'),
  maxPageSize: count(
    100,
    10_000,
    'items',
    'Largest page size. A larger requested size is reduced to it, and the response contains the effective size.',
  ),
  maxOffset: count(10_000, 1_000_000_000, 'items', 'Largest offset of a page that is selected by number. Pages beyond it require cursors.'),
  maxFields: count(50, 1_000, 'names', 'Maximum number of names in the query parameter `fields`.'),
  maxFieldDepth: count(5, 50, 'levels', 'Maximum depth of a dotted name in the query parameter `fields`.'),
  maxErrorDetails: count(20, 1_000, 'errors', 'Maximum number of validation errors that an error response lists.'),
  ifMatchFailure: z
    .union([z.literal(412), z.literal(409)])
    .default(412)
    .meta({
      description:
        'Status of `VERSION_MISMATCH` for requests with `If-Match`: 412, as HTTP specifies, or 409, as for requests without the header.',
    }),
  retryAfterSeconds: count(1, 86_400, 'seconds', 'Value of `Retry-After` in responses with status 503.'),
  maxCachedSelections: count(1_000, 1_000_000, 'entries', 'Maximum number of cached operations that are narrowed by `fields`.'),
  maxCachedSelectionBytes: count(33_554_432, 4_294_967_296, 'bytes', 'Maximum memory for cached narrowed operations and their plans.'),
});

/** Validated settings of the facade, with defaults. */
export type RestConfig = Readonly<z.infer<typeof restSection>>;

/** Settings of the facade as a configuration file contains them. Every key is optional. */
export type RestConfigInput = z.input<typeof restSection>;
