import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { type ConnectionPool, createConnectionPool } from './connection/connection-pool.ts';
import { readTls } from './read-tls.ts';
import type { SubgraphTarget } from './resolve-targets.ts';

/** Connections, shared by subgraphs that stand at one origin and are connected to in one way. */
export interface Pools extends Disposable {
  /** @throws Error when a file of the TLS settings cannot be read */
  of(target: SubgraphTarget, policies: SubgraphPolicies): ConnectionPool;
}

export function createPools(): Pools {
  const pools = new Map<string, ConnectionPool>();
  return {
    of({ name, origin }, { connectTimeoutMs, maxConnections, tls }) {
      const key = JSON.stringify([origin, connectTimeoutMs, maxConnections, tls]);
      const known = pools.get(key);
      if (known !== undefined) return known;
      const pool = createConnectionPool({
        origin,
        connectTimeoutMs,
        maxConnections,
        tls: origin.startsWith('https:') ? readTls(name, tls) : {},
      });
      pools.set(key, pool);
      return pool;
    },
    [Symbol.dispose]() {
      for (const pool of pools.values()) pool[Symbol.dispose]();
    },
  };
}
