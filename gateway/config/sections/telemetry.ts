import { z } from 'zod';

const otlp = (what: string, path: string) => ({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: `URL to which ${what} are sent by OTLP over HTTP, such as \`http://collector:4318${path}\`. Default: not sent.` }),
  headersFile: z.string().min(1).optional().meta({
    description: 'File with headers for this URL, such as credentials: one `name: value` in each line. It is read at the start.',
    path: true,
  }),
});

/** Section `telemetry`: what the gateway reports about requests. */
export const telemetry = z.strictObject({
  accessLog: z.enum(['off', 'stdout', 'stderr']).default('off').meta({
    description:
      'Write one line of JSON for each request of a client, over every transport, to standard output or standard error. It has no variables, headers or documents.',
  }),
  serviceName: z
    .string()
    .min(1)
    .max(200)
    .default('gatefold')
    .meta({ description: 'Name of this service in traces and metrics (`service.name`).' }),
  graphqlConventions: z.enum(['draft-2026-07', 'released']).default('draft-2026-07').meta({
    description:
      'GraphQL conventions of OpenTelemetry for the names of spans and metrics. `draft-2026-07` is the draft of pull request 3515 in July 2026. `released` reports only the attributes of released conventions; stages have names of the gateway.',
  }),
  metrics: z
    .strictObject({
      prometheus: z.boolean().default(false).meta({ description: 'Serve metrics for Prometheus at `/metrics` of the internal listener.' }),
      ...otlp('metrics', '/v1/metrics'),
      intervalMs: z
        .int()
        .min(1_000)
        .max(3_600_000)
        .default(60_000)
        .meta({ description: 'Interval at which metrics are sent to `url`.', unit: 'milliseconds' }),
      maxOperationNames: z.int().min(0).max(100_000).default(200).meta({
        description:
          'Maximum number of operation names in labels. Later names are reported as `_OTHER`. With 0, metrics have no operation names.',
        unit: 'names',
      }),
      maxClientNames: z.int().min(0).max(100_000).default(50).meta({
        description:
          'Maximum number of client names in labels. Later names are reported as `_OTHER`. With 0, metrics have no client names.',
        unit: 'names',
      }),
      maxSeries: z.int().min(100).max(1_000_000).default(5_000).meta({
        description: 'Maximum number of series of one metric. Further combinations of labels are added to one series with `_OTHER`.',
        unit: 'series',
      }),
    })
    .prefault({}),
  traces: z
    .strictObject({
      ...otlp('traces', '/v1/traces'),
      ratio: z.number().min(0).max(1).default(0.01).meta({ description: 'Share of the traces that are sent, between 0 and 1.' }),
      followParent: z.boolean().default(true).meta({
        description: 'Whether the flag `sampled` of the client decides instead of `ratio`, for requests with a `traceparent`.',
      }),
      errors: z.boolean().default(true).meta({ description: 'Always send traces of requests with errors of the gateway or of subgraphs.' }),
      slowMs: z.int().min(0).max(3_600_000).default(1_000).meta({
        description: 'Always send traces of requests that take at least this time. With 0, the duration does not matter.',
        unit: 'milliseconds',
      }),
      maxQueuedSpans: z.int().min(1).max(1_000_000).default(8_192).meta({
        description: 'Maximum number of spans that wait to be sent. Further spans are dropped.',
        unit: 'spans',
      }),
    })
    .prefault({}),
});

export type TelemetryConfig = Readonly<z.output<typeof telemetry>>;
