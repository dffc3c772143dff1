import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { type ConnectionPool, createConnectionPool } from './connection/connection-pool.ts';
import type { SubgraphTarget } from './resolve-targets.ts';

/** What of a TLS connection is set. */
export type TlsOptions = Pick<ConnectionOptions, 'secureContext' | 'servername' | 'rejectUnauthorized'>;

/**
 * How connections to a subgraph are secured, with the files that the settings name. The context is made once: it takes
 * milliseconds, and what is wrong with the files is found out before the first request.
 *
 * @throws Error when a file cannot be read, with the key that names it, or when they do not go together
 */
export function readTls(
  subgraph: string,
  { caFile, certificateFile, keyFile, serverName, rejectUnauthorized }: SubgraphPolicies['tls'],
): TlsOptions {
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw new Error(`Subgraph "${subgraph}": tls.certificateFile and tls.keyFile go together.`);
  }
  const files = {
    ...(caFile === undefined ? {} : { ca: readPem(subgraph, 'tls.caFile', caFile) }),
    ...(certificateFile === undefined ? {} : { cert: readPem(subgraph, 'tls.certificateFile', certificateFile) }),
    ...(keyFile === undefined ? {} : { key: readPem(subgraph, 'tls.keyFile', keyFile) }),
  };
  return {
    rejectUnauthorized,
    secureContext: secure(subgraph, files),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

function secure(subgraph: string, files: Parameters<typeof createSecureContext>[0]): ReturnType<typeof createSecureContext> {
  try {
    return createSecureContext(files);
  } catch (cause) {
    throw new Error(`Subgraph "${subgraph}": the files of its TLS settings cannot be used.`, { cause });
  }
}

function readPem(subgraph: string, key: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`Subgraph "${subgraph}": ${key} (${path}) cannot be read.`, { cause });
  }
  // Without this check a file of something else is found out at the first request, or never.
  if (!text.includes('-----BEGIN ')) throw new Error(`Subgraph "${subgraph}": ${key} (${path}) is not a file in PEM form.`);
  return text;
}

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
