import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';

/** What of a TLS connection is set. */
export type TlsOptions = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;

/**
 * How connections to a subgraph are secured, with the files that the settings name.
 *
 * @throws Error when a file cannot be read, with the key that names it
 */
export function readTls(
  subgraph: string,
  { caFile, certificateFile, keyFile, serverName, rejectUnauthorized }: SubgraphPolicies['tls'],
): TlsOptions {
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw new Error(`Subgraph "${subgraph}": tls.certificateFile and tls.keyFile go together.`);
  }
  return {
    rejectUnauthorized,
    ...(caFile === undefined ? {} : { ca: readPem(subgraph, 'tls.caFile', caFile) }),
    ...(certificateFile === undefined ? {} : { cert: readPem(subgraph, 'tls.certificateFile', certificateFile) }),
    ...(keyFile === undefined ? {} : { key: readPem(subgraph, 'tls.keyFile', keyFile) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
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
