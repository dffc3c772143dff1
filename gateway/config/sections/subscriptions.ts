import { z } from 'zod';

const milliseconds = (fallback: number, min: number, max: number, description: string) =>
  z.int().min(min).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const count = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const websocket = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Accept WebSocket connections on `/graphql` (subprotocol `graphql-transport-ws`).' }),
    initTimeoutMs: milliseconds(3_000, 1, 600_000, 'Timeout for receiving `connection_init` from a client.'),
    pingIntervalMs: milliseconds(
      12_000,
      100,
      3_600_000,
      'Interval between two pings. The connection of a client that has not sent a pong before the next ping is closed.',
    ),
    maxMessageBytes: count(65_536, 16_777_216, 'bytes', 'Maximum size of a message from a client.'),
    messagesPerSecond: count(20, 1_000_000, 'messages per second', 'Sustained rate of messages that a client may send.'),
    messageBurst: count(100, 1_000_000, 'messages', 'Number of messages that a client may send in a burst.'),
    maxOperations: count(50, 100_000, 'operations', 'Maximum number of concurrent operations on one WebSocket connection.'),
    maxUnacknowledged: count(
      500,
      1_000_000,
      'sockets',
      'Maximum number of WebSocket connections that have not been acknowledged yet. Further connections are rejected.',
    ),
    stallTimeoutMs: milliseconds(
      10_000,
      100,
      3_600_000,
      'How long a client may read none of the data that is queued for it before its connection is closed.',
    ),
  })
  .prefault({});

/** Section `subscriptions`: event streams to clients. */
export const subscriptions = z.strictObject({
  maxConnections: count(12_000, 10_000_000, 'connections', 'Maximum number of open WebSocket connections and HTTP event streams.'),
  maxConnectionsPerAddress: count(
    200,
    10_000_000,
    'connections',
    'Maximum number of open WebSocket connections and HTTP event streams of one client address. IPv6 addresses are grouped by /64.',
  ),
  maxConnectionsPerPrincipal: count(
    100,
    10_000_000,
    'connections',
    'Maximum number of open WebSocket connections and HTTP event streams of one authenticated caller.',
  ),
  heartbeatIntervalMs: milliseconds(10_000, 100, 3_600_000, 'Interval between two heartbeats on an HTTP event stream.'),
  credentialCheckIntervalMs: milliseconds(
    2_500,
    100,
    3_600_000,
    'Interval at which the credentials of open connections are checked again.',
  ),
  maxQueuedEvents: count(
    128,
    1_000_000,
    'events',
    'Maximum number of events that are queued for one client. A stream whose queue exceeds the limit is ended.',
  ),
  maxQueuedBytes: count(
    1_048_576,
    1_073_741_824,
    'bytes',
    'Maximum size of the events that are queued for one client. A stream whose queue exceeds the limit is ended.',
  ),
  reloadWindowMs: milliseconds(
    5_000,
    0,
    600_000,
    'Period over which streams that are not valid against a new supergraph are ended. All other streams continue.',
  ),
  drainWindowMs: milliseconds(
    2_000,
    1,
    600_000,
    'Period over which open connections are closed at shutdown, within `server.drainTimeoutMs`.',
  ),
  websocket,
});

/** Parsed section. */
export type SubscriptionsConfig = Readonly<z.infer<typeof subscriptions>>;
