import type { SubgraphsConfig } from '../../config/sections/subgraphs.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { systemErrorCode } from '../../platform/file-errors.ts';
import { shownUrl } from '../../platform/http/client/fetch-text.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SubgraphStreamListener, SubgraphStreamRequest, SubgraphStreams } from '../../supergraph/subgraph-streams.ts';
import { compileHeaders } from '../compile-headers.ts';
import { withSubgraphNamed } from '../name-subgraph.ts';
import { readTls } from '../open-pools.ts';
import { resolvePolicies, resolveTargets } from '../resolve-targets.ts';
import type { IdentitySigner } from '../sign-identity.ts';
import { openResumingStream, type ResumeOptions } from './resuming-stream.ts';
import type { UpstreamTransport } from './stream-attempt.ts';
import { createSseTransport } from './transport-sse.ts';
import { createWsTransport } from './transport-ws.ts';

export interface SubgraphStreamsOptions {
  readonly settings: SubgraphsConfig;
  /** Signer of the identity. @defaultValue no identity is sent */
  readonly identity?: IdentitySigner | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Streams whose settings can be reloaded. Open streams continue with the settings with which they were opened. */
export interface ReloadableStreams extends SubgraphStreams {
  reload(settings: SubgraphsConfig): void;
}

interface Upstream {
  readonly transport: UpstreamTransport;
  readonly resume: Omit<ResumeOptions, 'onOver'>;
  /** Number of open or pending streams. */
  users: number;
}

/** Time during which a transport without streams, with its sockets, is held open for the next stream. @unit milliseconds */
const LINGER_MS = 5_000;

/** Minimum time between two log entries about failed streams of one subgraph. @unit milliseconds */
const LOG_INTERVAL_MS = 10_000;

const TRANSPORT_HINT = 'Check that the subgraph serves subscriptions at this URL by the configured transport (subgraphs.subscriptions).';

/**
 * Creates streams to subgraphs over WebSocket or server-sent events, depending on the settings. Streams are independent of the loaded
 * supergraph: a stream continues when its address does not change.
 */
export function createSubgraphStreams({ identity, logger, clock = systemClock, ...options }: SubgraphStreamsOptions): ReloadableStreams {
  let { settings } = options;
  /** Number of reloads. Later streams do not use the transports of earlier settings. */
  let revision = 0;
  const upstreams = new Map<string, Upstream>();
  /** Time of the last log entry by subgraph. */
  const loggedAt = new Map<string, number>();

  function addressOf(subgraph: string, url: string): string {
    const override = settings.override[subgraph];
    if (override?.subscriptions?.url !== undefined) return override.subscriptions.url;
    const targets = resolveTargets(new Map([[subgraph, { name: subgraph, url }]]), settings.override);
    const { origin, path } = targets.get(subgraph) ?? { origin: '', path: '' };
    return origin + (resolvePolicies(settings, override).subscriptions.path ?? path);
  }

  /** Disposes of an unused transport later, because addresses change with supergraphs. */
  function release(key: string, upstreamEntry: Upstream): void {
    const end = (): void => {
      if (upstreamEntry.users > 0 || upstreams.get(key) !== upstreamEntry) return;
      upstreams.delete(key);
      upstreamEntry.transport[Symbol.dispose]();
    };
    setTimeout(end, LINGER_MS).unref();
  }

  function upstreamOf(subgraph: string, address: string, key: string): Upstream {
    let upstreamEntry = upstreams.get(key);
    if (upstreamEntry === undefined) {
      upstreamEntry = openUpstream(subgraph, address);
      upstreams.set(key, upstreamEntry);
    }
    return upstreamEntry;
  }

  function openUpstream(subgraph: string, url: string): Upstream {
    const policies = resolvePolicies(settings, settings.override[subgraph]);
    const create = policies.subscriptions.transport === 'sse' ? createSseTransport : createWsTransport;
    const tls = url.startsWith('https:') ? readTls(subgraph, policies.tls) : {};
    const headers = compileHeaders(policies.headers);
    const sent = headers.isRemoved(identity?.header) ? undefined : identity;
    const transport = create({ subgraph, url, headers, identity: sent, policies, tls, logger });
    const { maxReconnectDelayMs: maxDelayMs, reconnectTimeoutMs } = policies.subscriptions;
    const { baseDelayMs } = policies.retry;
    return {
      transport,
      resume: { baseDelayMs, maxDelayMs, reconnectTimeoutMs, now: systemClock.monotonic, random: Math.random },
      users: 0,
    };
  }

  /** Adds a log entry for a stream that failed. Clients see a constant text, and other requests to the subgraph may succeed. */
  function withLog(
    { subgraph, context }: SubgraphStreamRequest,
    address: string,
    listener: SubgraphStreamListener,
  ): SubgraphStreamListener {
    let hasOpened = false;
    return {
      onOpen() {
        hasOpened = true;
        listener.onOpen();
      },
      onEvent: (event) => listener.onEvent(event),
      onGap: () => listener.onGap(),
      onPosition: (eventId) => listener.onPosition?.(eventId),
      onEnd(end) {
        if (end.kind === 'failed' && isDue(subgraph)) {
          const entry = { subgraph, url: shownUrl(address), requestId: context.correlationId, reason: reasonOf(end.error) };
          logger.warn(
            entry,
            hasOpened ? 'A stream of a subgraph was lost.' : `A stream of a subgraph could not be opened. ${TRANSPORT_HINT}`,
          );
        }
        listener.onEnd(end);
      },
    };
  }

  /** Whether a failure is logged: one per subgraph and interval, because all streams of a subgraph fail together. */
  function isDue(subgraph: string): boolean {
    const now = clock.monotonic();
    if (now - (loggedAt.get(subgraph) ?? -Infinity) < LOG_INTERVAL_MS) return false;
    loggedAt.set(subgraph, now);
    return true;
  }

  return {
    addressOf,
    reload(next) {
      settings = next;
      revision += 1;
    },
    open(request, listener) {
      const address = addressOf(request.subgraph, request.url);
      const key = JSON.stringify([revision, request.subgraph, address]);
      const upstreamEntry = upstreamOf(request.subgraph, address, key);
      upstreamEntry.users += 1;
      const isNamed = (settings.override[request.subgraph]?.errorMessages ?? settings.errorMessages) === 'all';
      const receiver = isNamed ? withSubgraphNamed(listener, request.subgraph) : listener;
      return openResumingStream(upstreamEntry.transport, request, withLog(request, address, receiver), {
        ...upstreamEntry.resume,
        onOver() {
          upstreamEntry.users -= 1;
          if (upstreamEntry.users === 0) release(key, upstreamEntry);
        },
      });
    },
    async [Symbol.asyncDispose]() {
      for (const { transport } of upstreams.values()) transport[Symbol.dispose]();
      upstreams.clear();
    },
  };
}

/** Returns the reason for operators. The message of a failure is the constant text for clients, and its cause is the reason. */
function reasonOf({ message, cause }: Error): string {
  if (cause instanceof Error) return cause.message === '' ? (systemErrorCode(cause) ?? cause.name) : cause.message;
  return typeof cause === 'string' ? cause : message;
}
