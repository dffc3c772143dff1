import { once } from 'node:events';
import { connect } from 'node:net';
import { postgresServerUrl } from './throwaway-database.ts';

/**
 * Returns why no PostgreSQL server is available for tests, or undefined when the configured address accepts connections.
 *
 * @throws Error when `CI=true` and no server is available, because the tests must run there
 */
export async function missingPostgresql(): Promise<string | undefined> {
  const { hostname, port } = new URL(postgresServerUrl());
  const position = `${hostname}:${port || '5432'}`;
  const socket = connect({ host: hostname, port: Number(port || 5432) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) });
    return undefined;
  } catch (cause) {
    const missing = `no PostgreSQL server at ${position}; set TEST_DATABASE_URL`;
    if (process.env['CI'] === 'true') throw new Error(`${missing}. With CI=true these tests must run.`, { cause });
    process.stderr.write(`\nNOT TESTED: ${missing}.\n`);
    return missing;
  } finally {
    socket.destroy();
  }
}
