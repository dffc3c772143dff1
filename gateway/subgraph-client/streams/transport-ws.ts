import type { SubgraphPolicies } from '../../config/sections/subgraphs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Principal } from '../../platform/principal.ts';
import type { SubgraphStreamRequest } from '../../supergraph/subgraph-streams.ts';
import type { CompiledHeaders } from '../compile-headers.ts';
import { subgraphInvalidResponse, subgraphUnavailable } from '../failures.ts';
import type { TlsOptions } from '../open-pools.ts';
import { type IdentitySigner, identityKeyOf } from '../sign-identity.ts';
import { readEvent, readError, toEventId, toHeaderRecord } from './read-event.ts';
import { type AttemptListener, type UpstreamTransport, payloadOf } from './stream-attempt.ts';
import { type UpstreamSocket, type OperationListener, openConnection } from './transport-ws-connection.ts';

/** Settings and dependencies that all streams of one subgraph share. */
export interface TransportOptions {
  readonly subgraph: string;
  /** `http:` or `https:` URL. */
  readonly url: string;
  readonly headers: CompiledHeaders;
  /** Signer of the identity. Without one, no identity is sent. */
  readonly identity: IdentitySigner | undefined;
  readonly policies: SubgraphPolicies;
  readonly tls: TlsOptions;
  readonly logger: Logger;
}

/** Time during which a socket without subscriptions is held open for the next one. @unit milliseconds */
const LINGER_MS = 1_000;

/**
 * Creates a transport over graphql-transport-ws. Each caller that the subgraph can distinguish has one socket for all its streams. The
 * identity is verified once, when the socket is opened, and is valid for the lifetime of the socket.
 */
export function createWsTransport(options: TransportOptions): UpstreamTransport {
  const { subgraph, headers, identity, policies, tls, logger } = options;
  const url = options.url.replace(/^http/, 'ws');
  const connections = new Map<string, UpstreamSocket>();
  let probing: NodeJS.Timeout | undefined;

  function connectionFor({ context }: SubgraphStreamRequest): UpstreamSocket {
    const key = JSON.stringify([identity === undefined ? '' : identityKeyOf(context.principal), headers.adopted(context)]);
    const known = connections.get(key);
    if (known !== undefined) return known;
    const connection = openConnection({
      url,
      tls,
      headers: { ...toHeaderRecord(headers.of(context)), ...upgradeHeaders(context.principal) },
      init: identity === undefined ? {} : { gatefoldIdentity: identity.sign(subgraph, context.principal, '') },
      connectTimeoutMs: policies.connectTimeoutMs,
      ackTimeoutMs: policies.requestTimeoutMs,
      maxMessageBytes: policies.maxResponseBytes,
      onClosed() {
        if (connections.get(key) === connection) connections.delete(key);
      },
    });
    connections.set(key, connection);
    return connection;
  }

  /** Returns the identity as a header, where servers read it before the first message. A proof belongs to a body, which an upgrade lacks. */
  function upgradeHeaders(principal: Principal): Readonly<Record<string, string>> {
    return identity?.form === 'jwt' ? { [identity.header]: identity.headerValue(subgraph, principal, '') } : {};
  }

  function release(connection: UpstreamSocket): void {
    if (connection.size > 0) return;
    const end = (): void => {
      if (connection.size === 0) connection.close(subgraphUnavailable(new Error('The connection has no subscriptions.')));
    };
    setTimeout(end, LINGER_MS).unref();
  }

  function probeAll(): void {
    for (const connection of connections.values()) connection.probe();
    if (connections.size > 0) return;
    clearInterval(probing);
    probing = undefined;
  }

  const errorRules = { ...policies, subgraph };

  function listen(connection: () => UpstreamSocket, listener: AttemptListener): OperationListener {
    const end = (over: Parameters<AttemptListener['onOver']>[0]): void => {
      release(connection());
      listener.onOver(over);
    };
    const log = (masked: readonly string[]): void => {
      if (masked.length > 0)
        logger.warn({ subgraph, errors: masked.slice(0, MAX_LOGGED) }, 'A subgraph returned errors whose codes are not listed.');
    };
    const isNone = (what: string) => subgraphInvalidResponse(new Error(`The stream contains an invalid ${what}.`));
    return {
      onSent: () => listener.onOpen(),
      onPosition(payload) {
        const eventId = toEventId(payload['eventId']);
        if (eventId !== undefined) listener.onPosition(eventId);
      },
      onNext(payload, needsNoEscape) {
        const read = readEvent(payload, policies.maxErrors, needsNoEscape, errorRules);
        if (read === undefined) return connection().close(isNone('event'));
        log(read.masked);
        if (read.isGap) listener.onGap();
        else listener.onEvent(read.event);
      },
      onError(payload) {
        const read = readError(payload, policies.maxErrors, errorRules);
        log(read?.masked ?? []);
        end(read === undefined ? { kind: 'lost', error: isNone('error message') } : { kind: 'rejected', errors: read.errors });
      },
      onComplete: () => end({ kind: 'complete' }),
      onLost: (error) => listener.onOver({ kind: 'lost', error }),
    };
  }

  return {
    attempt(request, listener) {
      const connection = connectionFor(request);
      probing ??= setInterval(probeAll, policies.subscriptions.pingIntervalMs).unref();
      const operation = connection.subscribe(
        payloadOf(request),
        listen(() => connection, listener),
      );
      return {
        close() {
          operation.complete();
          release(connection);
        },
      };
    },
    [Symbol.dispose]() {
      clearInterval(probing);
      for (const connection of connections.values()) connection.close(subgraphUnavailable(new Error('The gateway is shutting down.')));
    },
  };
}

/** Maximum number of messages of one response that are logged. */
const MAX_LOGGED = 10;
