import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { type ConnectionPool, createConnectionPool } from './connection/connection-pool.ts';
import type { SubgraphTarget } from './resolve-targets.ts';

/** TLS options that the settings can define. */
export type TlsOptions = Pick<ConnectionOptions, 'secureContext' | 'servername' | 'rejectUnauthorized'>;

/**
 * Reads the TLS options of a subgraph and the files that they name. The context is created once. Creating it takes milliseconds, and
 * invalid files are detected before the first request.
 *
 * @throws Error when a file cannot be read, naming its key, or when the files do not match
 */
export function readTls(
  subgraph: string,
  { caFile, certificateFile, keyFile, serverName, rejectUnauthorized }: SubgraphPolicies['tls'],
): TlsOptions {
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw new Error(`Subgraph "${subgraph}": tls.certificateFile and tls.keyFile must be set together.`);
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
    throw new Error(`Subgraph "${subgraph}": the files of its TLS settings are invalid or do not match.`, { cause });
  }
}

function readPem(subgraph: string, key: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`Subgraph "${subgraph}": ${key} (${path}) cannot be read.`, { cause });
  }
  // Without this check, a file with other content is detected at the first request or never.
  if (!text.includes('-----BEGIN ')) throw new Error(`Subgraph "${subgraph}": ${key} (${path}) is not a PEM file.`);
  return text;
}

/** Connection pools, shared by subgraphs with the same origin and the same connection settings. */
export interface Pools extends Disposable {
  /** @throws Error when a file of the TLS settings cannot be read */
  of(target: Pick<SubgraphTarget, 'name' | 'origin'>, policies: SubgraphPolicies): ConnectionPool;
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
