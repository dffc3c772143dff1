import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import type { RedisConfig } from '../config/sections/redis.ts';

/** Credentials and TLS material for Redis that its addresses do not contain. */
export interface RedisCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  readonly tls?: ConnectionOptions;
}

/** Reads the files that `redis.tls` names. @throws ConfigurationInvalid when a file cannot be read */
export function readRedisCredentials({ username, password, sentinelUsername, sentinelPassword, tls }: RedisConfig): RedisCredentials {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls === undefined ? {} : { tls: toConnectionOptions(tls) }),
  };
}

function toConnectionOptions({ caFile, certificateFile, keyFile, serverName }: NonNullable<RedisConfig['tls']>): ConnectionOptions {
  return {
    ...(caFile === undefined ? {} : { ca: readPem('caFile', caFile) }),
    ...(certificateFile === undefined ? {} : { cert: readPem('certificateFile', certificateFile) }),
    ...(keyFile === undefined ? {} : { key: readPem('keyFile', keyFile) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

function readPem(key: string, path: string): string {
  const problem = (message: string) => new ConfigurationInvalid([{ path: `redis.tls.${key}`, message }]);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw problem(`the file ${path} cannot be read`);
  }
  if (!text.includes('-----BEGIN ')) throw problem(`the file ${path} must be in PEM format`);
  return text;
}
