import { Pool } from 'undici';
import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { readTls } from './read-tls.ts';
import type { SubgraphTarget } from './resolve-targets.ts';

/** Connections, shared by subgraphs that stand at one origin and are connected to in one way. */
export interface Pools extends AsyncDisposable {
  /** @throws Error when a file of the TLS settings cannot be read */
  of(target: SubgraphTarget, policies: SubgraphPolicies): Pool;
}

export function createPools(): Pools {
  const pools = new Map<string, Pool>();
  return {
    of({ name, origin }, { connectTimeoutMs, maxConnections, tls }) {
      const key = JSON.stringify([origin, connectTimeoutMs, maxConnections, tls]);
      const known = pools.get(key);
      if (known !== undefined) return known;
      const pool = new Pool(origin, {
        connections: maxConnections,
        pipelining: 1,
        connect: { timeout: connectTimeoutMs, ...(origin.startsWith('https:') ? readTls(name, tls) : {}) },
        // The deadline covers both, and unlike them it cannot be put off by a body that drips.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      pools.set(key, pool);
      return pool;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
