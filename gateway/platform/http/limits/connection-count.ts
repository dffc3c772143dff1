import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { type InNetworks, networkOf } from '../request/client-address.ts';
import type { LimitScope, EdgeEvents } from './edge-events.ts';

export interface ConnectionBounds {
  readonly total: number;
  /** Limit for each address. Trusted proxies are exempt, because they forward the requests of many clients. */
  readonly perAddress: number;
}

/** Connections of one listener. */
export interface ConnectionCount {
  readonly size: number;
  /** Counts an accepted connection until it is closed. */
  enter(socket: Socket): void;
  /** Whether a connection was opened beyond a limit, so that it can be used only for health checks. */
  isReserved(socket: Duplex): boolean;
  /**
   * Stops counting a connection that other limits count, such as that of a stream.
   *
   * @returns function that counts it again, if it is still open
   */
  exempt(socket: Duplex): () => void;
}

export interface ConnectionCountOptions {
  readonly bounds: ConnectionBounds;
  /** Returns whether an address is a trusted proxy. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
  readonly report: Pick<EdgeEvents, 'connectionRejected'>;
}

interface CountedConnection {
  readonly network: string | undefined;
  isCounted: boolean;
}

/** Maximum number of open connections beyond the limits. The oldest one is closed for a new one. @unit connections */
const RESERVED_CONNECTIONS = 64;

/** Creates a counter that limits connections and reserves some beyond the limits for health checks. */
export function createConnectionCount({ bounds, isProxy, report }: ConnectionCountOptions): ConnectionCount {
  // Keyed by address and port, because a connection and its TLS socket are two objects.
  const entries = new Map<string, CountedConnection>();
  const reserved = new Map<string, Socket>();
  const perNetwork = new Map<string, number>();
  let size = 0;

  function count(entry: CountedConnection, change: 1 | -1): void {
    size += change;
    if (entry.network === undefined) return;
    const left = (perNetwork.get(entry.network) ?? 0) + change;
    if (left > 0) perNetwork.set(entry.network, left);
    else perNetwork.delete(entry.network);
  }

  function limitReached(network: string | undefined): LimitScope | undefined {
    if (size >= bounds.total) return 'total';
    return network !== undefined && (perNetwork.get(network) ?? 0) >= bounds.perAddress ? 'address' : undefined;
  }

  function reserve(name: string, socket: Socket): void {
    if (reserved.size >= RESERVED_CONNECTIONS) {
      for (const [oldest, other] of reserved) {
        reserved.delete(oldest);
        other.destroy();
        break;
      }
    }
    reserved.set(name, socket);
    socket.once('close', () => {
      if (reserved.get(name) === socket) reserved.delete(name);
    });
  }

  return {
    get size() {
      return size;
    },
    enter(socket) {
      const remoteAddress = socket.remoteAddress ?? '';
      const name = nameOf(socket);
      const network = isProxy?.(remoteAddress) === true ? undefined : networkOf(remoteAddress);
      const scope = limitReached(network);
      if (scope !== undefined) {
        report.connectionRejected({
          address: networkOf(remoteAddress),
          scope,
          limit: scope === 'total' ? bounds.total : bounds.perAddress,
        });
        return reserve(name, socket);
      }
      const entry: CountedConnection = { network, isCounted: true };
      count(entry, 1);
      entries.set(name, entry);
      socket.once('close', () => {
        if (entry.isCounted) count(entry, -1);
        entry.isCounted = false;
        if (entries.get(name) === entry) entries.delete(name);
      });
    },
    isReserved: (socket) => reserved.size > 0 && reserved.has(nameOf(socket)),
    exempt(socket) {
      const name = nameOf(socket);
      const entry = entries.get(name);
      if (entry === undefined || !entry.isCounted) return () => undefined;
      count(entry, -1);
      entry.isCounted = false;
      return () => {
        if (entries.get(name) !== entry || entry.isCounted) return;
        count(entry, 1);
        entry.isCounted = true;
      };
    },
  };
}

/** Returns the same key for a connection and its TLS socket. */
function nameOf(socket: Duplex & Partial<Pick<Socket, 'remoteAddress' | 'remotePort'>>): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
