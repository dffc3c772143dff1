import { z } from 'zod';

const requests = (description: string) => z.int().min(1).max(1_000_000).meta({ description, unit: 'requests' });

const values = z
  .record(
    z.string().regex(/^[_A-Za-z]\w*$/, 'expected a name that a mapping can read, such as "token"'),
    z.json().meta({ description: 'Value of `$config.<name>`.', expected: 'a JSON value', secret: true }),
  )
  .default({});

const connectorSource = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'URL that replaces `baseURL` of the source.' }),
  config: values.meta({ description: 'Values of `$config` for this source, in addition to those of the subgraph.' }),
  maxRequestsPerOperation: requests('Limit for this source. Default: that of the subgraph.').optional(),
});

const connectorSubgraph = z.strictObject({
  config: values.meta({ description: 'Values of `$config` in the connectors of the subgraph.' }),
  sendIdentity: z.boolean().default(false).meta({
    description: 'Send the signed identity of the caller to the back ends of the subgraph, if `identity` is configured.',
  }),
  maxRequestsPerOperation: requests('Limit for each source of the subgraph. Default: `connectors.maxRequestsPerOperation`.').optional(),
  sources: z
    .record(z.string(), connectorSource)
    .default({})
    .meta({ description: 'Settings of single sources, by the name of the source.' }),
});

/**
 * Section `connectors`: subgraphs that declare connectors to REST back ends. Timeouts, TLS, header rules and the other settings of requests
 * are those of `subgraphs`.
 */
export const connectors = z.strictObject({
  env: z
    .array(z.string().regex(/^[_A-Za-z]\w*$/, 'expected the name of an environment variable'))
    .default([])
    .meta({ description: 'Names of the environment variables that connectors may read with `$env`. All others have no value.' }),
  maxRequestsPerOperation: requests(
    'Maximum number of HTTP requests of one operation to one source. Further objects fail with `CONNECTOR_REQUEST_LIMIT_EXCEEDED`.',
  ).default(500),
  subgraphs: z
    .record(z.string(), connectorSubgraph)
    .default({})
    .meta({ description: 'Settings of single subgraphs with connectors, by the name of the subgraph.' }),
});

/** Parsed section. */
export type ConnectorsConfig = Readonly<z.infer<typeof connectors>>;
