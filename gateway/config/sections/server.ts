import { z } from 'zod';
import { parseNetwork } from '../../platform/http/request/client-address.ts';
import { cors } from './cors.ts';

const milliseconds = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const bytes = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'bytes' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const file = (description: string) => z.string().min(1).meta({ description, path: true });

const port = (description: string) => z.int().min(0).max(65_535).meta({ description, unit: 'port; 0 takes a free one' });

/** The listeners, and how they are reached. */
export const server = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').meta({ description: 'Address of the public listener.' }),
  port: port('Public listener.').default(4000),
  internalHost: z.string().min(1).default('127.0.0.1').meta({ description: 'Address of the internal listener.' }),
  internalPort: port('Internal listener: health. Default: `port` + 1.').optional(),
  tls: z
    .strictObject({
      certificateFile: file('Certificate of the listener with those between it and the authority, in PEM form; watched.'),
      keyFile: file('Its private key, in PEM form; watched.'),
      minVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2').meta({ description: 'Oldest version of TLS that is spoken.' }),
    })
    .optional(),
  trustedProxies: z
    .array(z.string().refine((text) => parseNetwork(text) !== undefined, 'expected an address or a network, such as "10.0.0.0/8"'))
    .default([])
    .meta({
      description:
        'Addresses and networks of the proxies in front, `10.0.0.0/8`: only from these `X-Forwarded-For` and `X-Forwarded-Proto` are believed. The production profile asks for them, or for `tls`, on any address but the loopback.',
    }),
  requireTls: z.boolean().optional().meta({
    description:
      'Refuse requests that did not come by TLS, neither to the listener nor to a trusted proxy, with 403 `TLS_REQUIRED`; `/health` is answered. Default: on in production where `trustedProxies` are named and `tls` is not.',
  }),
  hstsMaxAgeSeconds: z.int().min(0).max(63_072_000).default(31_536_000).meta({
    description: 'How long browsers that were here by TLS come by nothing else (`Strict-Transport-Security`); 0 tells them nothing.',
    unit: 'seconds',
  }),
  cors: cors.prefault({}),
  maxBodyBytes: bytes(1_048_576, 104_857_600, 'Largest request body, counted after decompression.'),
  compression: z
    .strictObject({
      enabled: z.boolean().default(true).meta({ description: 'Compress answers for clients that take Brotli or gzip.' }),
      minBytes: z.int().min(0).max(1_048_576).default(1_024).meta({ description: 'Shorter answers are sent as they are.', unit: 'bytes' }),
    })
    .prefault({}),
  maxUrlBytes: bytes(8_192, 65_536, 'Longest request target.'),
  headersTimeoutMs: milliseconds(10_000, 600_000, 'Until the headers of a request must have arrived.'),
  requestTimeoutMs: milliseconds(30_000, 600_000, 'Until a whole request must have arrived.'),
  keepAliveTimeoutMs: milliseconds(65_000, 600_000, 'How long an idle connection stays open.'),
  writeTimeoutMs: milliseconds(
    30_000,
    600_000,
    'How long a client may read nothing of a response that waits; its connection is closed then, at the latest after twice that time.',
  ),
  maxConnections: count(
    10_000,
    10_000_000,
    'connections',
    'Plain HTTP connections of a listener that are open at a time; at most 256 fewer than the files that the process may open. Further ones are answered for health only. Streams count in `subscriptions`.',
  ),
  maxConnectionsPerAddress: count(
    1_000,
    10_000_000,
    'connections',
    'The same of one address, unless it is a trusted proxy; of IPv6 the first 64 bits count.',
  ),
  maxPendingResponseBytes: bytes(
    134_217_728,
    68_719_476_736,
    'Bytes of responses, and of messages and events of streams, that wait to be read. Beyond that, connections that have not been read from for longest are closed, and others answered with `OVERLOADED` (503 over HTTP).',
  ),
  maxPendingResponseBytesPerAddress: bytes(33_554_432, 68_719_476_736, 'The same of one client address, behind trusted proxies too.'),
  maxPendingBodyBytes: bytes(
    67_108_864,
    68_719_476_736,
    'Bytes of request bodies that are being received; beyond that, requests are answered with 503 `OVERLOADED`.',
  ),
  maxPendingBodyBytesPerAddress: bytes(16_777_216, 68_719_476_736, 'The same of one client address, behind trusted proxies too.'),
  drainTimeoutMs: milliseconds(10_000, 600_000, 'How long running requests may take to finish at shutdown.'),
});
