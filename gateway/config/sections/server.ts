import { z } from 'zod';
import { parseNetwork } from '../../platform/http/request/client-address.ts';
import { cors } from './cors.ts';
import { health, overload, shutdown } from './lifecycle.ts';

const milliseconds = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const bytes = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'bytes' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const file = (description: string) => z.string().min(1).meta({ description, path: true });

const port = (description: string) => z.int().min(0).max(65_535).meta({ description, unit: 'port; 0 selects a free port' });

/** Maximum number of worker processes. */
const MAX_WORKERS = 256;

/** Section `server`: the listeners and their limits. */
export const server = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').meta({ description: 'Address that the public listener binds to.' }),
  port: port('Port of the public listener.').default(4000),
  internalHost: z.string().min(1).default('127.0.0.1').meta({ description: 'Address that the internal listener binds to.' }),
  internalPort: port(
    'Port of the internal listener, which serves health checks and administrative endpoints. Default: `port` + 1.',
  ).optional(),
  workers: z
    .union([z.int().min(1).max(MAX_WORKERS), z.literal('auto')])
    .default(1)
    .meta({
      description:
        'Number of worker processes of `gatefold serve`, which share the public listener. `auto` starts as many as the machine can run in parallel. With 1, one process serves everything. Applies only to `gatefold serve`.',
      unit: 'processes',
      expected: `a whole number from 1 to ${MAX_WORKERS}, or auto`,
    }),
  tls: z
    .strictObject({
      certificateFile: file('File with the certificate chain of the listener (PEM). Reloaded when it changes.'),
      keyFile: file('File with the private key of the certificate (PEM). Reloaded when it changes.'),
      minVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2').meta({ description: 'Minimum TLS version that the listener accepts.' }),
    })
    .optional(),
  trustedProxies: z
    .array(z.string().refine((text) => parseNetwork(text) !== undefined, 'expected an address or a network, such as "10.0.0.0/8"'))
    .default([])
    .meta({
      description:
        'Addresses and networks of trusted reverse proxies, such as `10.0.0.0/8`. `X-Forwarded-For` and `X-Forwarded-Proto` are accepted only from these. The production profile requires `trustedProxies` or `tls` unless `host` is a loopback address.',
    }),
  requireTls: z.boolean().optional().meta({
    description:
      'Reject requests that did not use TLS, either to the listener or to a trusted proxy, with 403 `TLS_REQUIRED`. `/health` is still served. Default: on in production if `trustedProxies` is set and `tls` is not.',
  }),
  hstsMaxAgeSeconds: z.int().min(0).max(63_072_000).default(31_536_000).meta({
    description:
      'Value of `max-age` in the `Strict-Transport-Security` header, which is sent over TLS only. With 0 the header is not sent.',
    unit: 'seconds',
  }),
  cors: cors.prefault({}),
  maxBodyBytes: bytes(1_048_576, 104_857_600, 'Maximum size of a request body, measured after decompression.'),
  compression: z
    .strictObject({
      enabled: z.boolean().default(true).meta({ description: 'Compress responses for clients that accept Brotli or gzip.' }),
      minBytes: z
        .int()
        .min(0)
        .max(1_048_576)
        .default(1_024)
        .meta({ description: 'Minimum size of a response that is compressed.', unit: 'bytes' }),
    })
    .prefault({}),
  maxUrlBytes: bytes(8_192, 65_536, 'Maximum length of the request target.'),
  headersTimeoutMs: milliseconds(10_000, 600_000, 'Timeout for receiving the headers of a request.'),
  requestTimeoutMs: milliseconds(30_000, 600_000, 'Timeout for receiving a complete request.'),
  keepAliveTimeoutMs: milliseconds(65_000, 600_000, 'How long an idle connection remains open.'),
  plainReader: z.boolean().default(true).meta({
    description:
      'Read plain HTTP/1.1 requests to `/graphql` and to REST resources with the strict reader of the gateway, which uses less CPU time than the HTTP parser of Node.js. A connection is passed to Node.js at the first request that is pipelined, large, incomplete or otherwise not plain.',
  }),
  writeTimeoutMs: milliseconds(
    30_000,
    600_000,
    'How long a client may read none of a pending response. Its connection is closed after this time, at the latest after twice this time.',
  ),
  maxConnections: count(
    10_000,
    10_000_000,
    'connections',
    'Maximum number of open HTTP connections of a listener, capped at 256 below the open file limit of the process. On further connections only health checks are served. Event streams and WebSocket connections count toward `subscriptions` instead.',
  ),
  maxConnectionsPerAddress: count(
    1_000,
    10_000_000,
    'connections',
    'Maximum number of open HTTP connections of one client address. Trusted proxies are exempt. IPv6 addresses are grouped by /64.',
  ),
  maxPendingResponseBytes: bytes(
    134_217_728,
    68_719_476_736,
    'Maximum size of all responses, messages and events that clients have not read yet. When it is exceeded, the connections that have been unread for longest are closed. Other requests are rejected with `OVERLOADED` (503 over HTTP).',
  ),
  maxPendingResponseBytesPerAddress: bytes(
    33_554_432,
    68_719_476_736,
    'Maximum size of all unread responses, messages and events of one client address, also behind trusted proxies.',
  ),
  maxPendingBodyBytes: bytes(
    67_108_864,
    68_719_476_736,
    'Maximum size of all request bodies that are being received. Further requests are rejected with 503 `OVERLOADED`.',
  ),
  maxPendingBodyBytesPerAddress: bytes(
    16_777_216,
    68_719_476_736,
    'Maximum size of all request bodies that are being received from one client address, also behind trusted proxies.',
  ),
  drainTimeoutMs: milliseconds(
    10_000,
    600_000,
    'How long running requests may continue at shutdown, after `shutdown.lameDuckMs`, before they are aborted.',
  ),
  health: health.prefault({}),
  shutdown: shutdown.prefault({}),
  overload: overload.prefault({}),
});
