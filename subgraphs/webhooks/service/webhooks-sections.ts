import { z } from 'zod';
import { DEFAULT_LEASE_MS, DEFAULT_MAX_ENDPOINTS, DEFAULT_TIMEOUT_MS } from '../settings.ts';

const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;
const graphqlName = z.string().regex(NAME, 'expected a name of a GraphQL schema');
const file = (description: string) => z.string().min(1).meta({ description, path: true });

const server = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').meta({ description: 'Address on which the service listens.' }),
  port: z.int().min(0).max(65_535).default(4_008).meta({ description: 'Port of the service. With 0, a free port is used.' }),
});

const database = z
  .strictObject({
    url: z.string().min(1).optional().meta({
      description: 'PostgreSQL server: `postgres://user:password@host:port/database`. Several processes can share it.',
      secret: true,
    }),
    directory: z.string().min(1).optional().meta({
      description:
        'Data directory of the embedded PostgreSQL, which one process can use. Default without `url`: `.gatefold/webhooks` in the dev profile. The production profile requires `url` or `directory`.',
      path: true,
    }),
  })
  .refine(({ url, directory }) => url === undefined || directory === undefined, { error: 'set only one of url and directory' });

const gateway = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:4001')
    .meta({
      description: 'Internal listener of the gateway, from which events are read.',
      expected: 'a URL that starts with http:// or https://',
    }),
  serviceSecret: z.string().min(32).meta({
    description:
      'Key that signs the tokens for the internal listener: the value of `identity.serviceSecret` of the gateway. Environment: GATEFOLD_SERVICE_SECRET. Required.',
    secret: true,
  }),
});

const identity = z
  .strictObject({
    secret: z.string().min(32).optional().meta({
      description: 'Value of `identity.secret` of the gateway. Environment: GATEFOLD_IDENTITY_SECRET. Required, unless `jwksUrl` is set.',
      secret: true,
    }),
    jwksUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({
        description: 'Public keys of a gateway with `identity.privateKeyFile`: `/identity/keys` on its internal listener.',
        expected: 'a URL that starts with http:// or https://',
      }),
    form: z
      .enum(['jwt', 'bound', 'any'])
      .default('any')
      .meta({ description: 'Accepted form of identities: `identity.form` of the gateway, or `any`.' }),
    header: z.string().min(1).default('gatefold-identity').meta({ description: 'Value of `identity.header` of the gateway.' }),
    issuer: z.string().min(1).default('gatefold').meta({ description: 'Value of `identity.issuer` of the gateway.' }),
  })
  .refine(({ secret, jwksUrl }) => (secret === undefined) !== (jwksUrl === undefined), {
    error: 'set exactly one of secret and jwksUrl, so that the service can verify the callers that the gateway names',
  });

const owners = z.strictObject({
  type: graphqlName.optional().meta({
    description:
      'Entity of the supergraph that owns webhooks, such as `User`. `Webhook` then has the field `owner` with this type. Default: only `ownerId`.',
  }),
  key: graphqlName.default('id').meta({ description: 'Key field of that entity. Its value is the id of the caller.' }),
  adminRole: z
    .string()
    .min(1)
    .default('ADMIN')
    .meta({ description: 'Role of callers who can read and change the webhooks of all owners.' }),
  query: file(
    'File with a query that reads an owner: `query ($id: ID!) { user(id: $id) { roles } }`. If its first field is null, the owner is unknown. The fields `roles` and `scopes`, which can be aliases, are the current permissions of the owner. Default: owners are not looked up; they retain the permissions of the credentials with which they last changed the webhook.',
  ).optional(),
  cacheSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(30)
    .meta({ description: 'Time for which the result of `query` is reused.', unit: 'seconds' }),
});

const delivery = z.strictObject({
  timeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(DEFAULT_TIMEOUT_MS)
    .meta({ description: 'Timeout for the response of a receiver.', unit: 'milliseconds' }),
  leaseMs: z.int().min(200).max(600_000).default(DEFAULT_LEASE_MS).meta({
    description: 'Time after which another process sends the messages of a process that has ended. Must be longer than `timeoutMs`.',
    unit: 'milliseconds',
  }),
  maxWebhooksPerOwner: z
    .int()
    .min(1)
    .max(10_000)
    .default(DEFAULT_MAX_ENDPOINTS)
    .meta({ description: 'Maximum number of webhooks of one owner.', unit: 'webhooks' }),
  privateHosts: z.array(z.string().min(1)).optional().meta({
    description:
      'Host names in private networks to which messages can be sent, with any port and without TLS. Only in the dev profile. Default: the loopback host names in the dev profile, none in production.',
  }),
});

const logging = z.strictObject({
  level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info').meta({ description: 'Minimum level of log entries.' }),
  format: z
    .enum(['json', 'pretty'])
    .optional()
    .meta({ description: 'Format of log entries. Default: `pretty` in the dev profile, `json` in production.' }),
});

const otlp = (what: string, path: string) => ({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: `URL to which ${what} are sent by OTLP over HTTP, such as \`http://collector:4318${path}\`. Default: not sent.` }),
  headersFile: file(
    'File with headers for this URL, such as credentials: one `name: value` in each line. It is read at the start.',
  ).optional(),
});

const telemetry = z.strictObject({
  serviceName: z
    .string()
    .min(1)
    .max(200)
    .default('gatefold-webhooks')
    .meta({ description: 'Name of this service in traces and metrics (`service.name`).' }),
  metrics: z
    .strictObject({
      ...otlp('metrics of delivery attempts', '/v1/metrics'),
      intervalMs: z
        .int()
        .min(1_000)
        .max(3_600_000)
        .default(60_000)
        .meta({ description: 'Interval at which metrics are sent to `url`.', unit: 'milliseconds' }),
    })
    .prefault({}),
  traces: z
    .strictObject({
      ...otlp('spans of delivery attempts', '/v1/traces'),
      ratio: z
        .number()
        .min(0)
        .max(1)
        .default(0.01)
        .meta({ description: 'Share of the messages whose attempts are sent as a trace, between 0 and 1.' }),
      errors: z.boolean().default(true).meta({ description: 'Always send the spans of attempts that failed.' }),
      maxQueuedSpans: z.int().min(1).max(1_000_000).default(4_096).meta({
        description: 'Maximum number of spans that wait to be sent. Further spans are dropped.',
        unit: 'spans',
      }),
    })
    .prefault({}),
});

/** Schema of the configuration of the webhook service. */
export const webhooksSchema = z.strictObject({
  profile: z.enum(['dev', 'production']).meta({ description: 'Profile that selects defaults and rejects unsafe settings.' }),
  name: z
    .string()
    .min(1)
    .default('webhooks')
    .meta({ description: 'Name of the service in the supergraph. Identities for other subgraphs are rejected.' }),
  documents: z
    .string()
    .min(1)
    .default('webhooks')
    .meta({ description: 'Directory of the event documents: .graphql files with subscriptions.', path: true }),
  encryptionKey: z.string().min(32).optional().meta({
    description:
      'Key that encrypts the secrets of webhooks in the database. Environment: GATEFOLD_WEBHOOKS_KEY. Required in production. Default in the dev profile: a generated key next to the data directory.',
    secret: true,
  }),
  previousEncryptionKeys: z
    .array(z.string().min(32))
    .default([])
    .meta({ description: 'Earlier values of `encryptionKey`, with which stored secrets are decrypted.', secret: true }),
  server: server.prefault({}),
  database: database.prefault({}),
  gateway,
  identity: identity.prefault({}),
  owners: owners.prefault({}),
  delivery: delivery.prefault({}),
  logging: logging.prefault({}),
  telemetry: telemetry.prefault({}),
});

/** Parsed configuration of the webhook service. */
export type WebhooksConfig = Readonly<z.infer<typeof webhooksSchema>>;
