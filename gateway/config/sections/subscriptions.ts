import { z } from 'zod';

const milliseconds = (fallback: number, min: number, max: number, description: string) =>
  z.int().min(min).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const websocket = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: 'Take WebSockets on `/graphql` (subprotocol `graphql-transport-ws`).' }),
    initTimeoutMs: milliseconds(3_000, 1, 600_000, 'Until a client must have sent `connection_init`.'),
    pingIntervalMs: milliseconds(12_000, 100, 3_600_000, 'Between two pings; a client that has not answered one by the next is gone.'),
    maxMessageBytes: count(65_536, 16_777_216, 'bytes', 'Largest message of a client.'),
    messagesPerSecond: count(20, 1_000_000, 'messages per second', 'Messages that a client may send in the long run.'),
    messageBurst: count(100, 1_000_000, 'messages', 'Messages that it may send at once.'),
    maxOperations: count(50, 100_000, 'operations', 'Operations that run on one socket at a time.'),
    maxUnacknowledged: count(500, 1_000_000, 'sockets', 'Sockets that have not been acknowledged; further ones are refused.'),
    stallTimeoutMs: milliseconds(10_000, 100, 3_600_000, 'How long a client may take nothing of what waits for it.'),
  })
  .prefault({});

/** Streams of events towards clients. */
export const subscriptions = z.strictObject({
  maxConnections: count(12_000, 10_000_000, 'connections', 'WebSockets and streams over HTTP that are open at a time.'),
  maxConnectionsPerAddress: count(200, 10_000_000, 'connections', 'The same of one address; of IPv6 the first 64 bits count.'),
  maxConnectionsPerPrincipal: count(100, 10_000_000, 'connections', 'The same of one caller with credentials.'),
  heartbeatIntervalMs: milliseconds(10_000, 100, 3_600_000, 'Between two signs of life on a stream over HTTP.'),
  credentialCheckIntervalMs: milliseconds(
    2_500,
    100,
    3_600_000,
    'Between two looks at whether the credentials of an open connection are still good.',
  ),
  maxQueuedEvents: count(128, 1_000_000, 'events', 'Events that wait for one client; a stream whose client falls further behind is ended.'),
  maxQueuedBytes: count(1_048_576, 1_073_741_824, 'bytes', 'The same by their size.'),
  reloadWindowMs: milliseconds(
    5_000,
    0,
    600_000,
    'Time over which those streams are ended that a new supergraph has no place for; all others go on.',
  ),
  drainWindowMs: milliseconds(
    2_000,
    1,
    600_000,
    'Time over which open connections are closed at shutdown, within `server.drainTimeoutMs`.',
  ),
  websocket,
});

/** The section as it was read. */
export type SubscriptionsConfig = Readonly<z.infer<typeof subscriptions>>;
