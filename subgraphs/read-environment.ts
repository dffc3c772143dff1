import { resolve } from 'node:path';
import { SUBGRAPH_NAMES, type SubgraphName } from './start-subgraphs.ts';

/** What the environment says about the process that hosts the subgraphs. */
export interface SubgraphsEnvironment {
  readonly identitySecret: string;
  readonly profile: 'dev' | 'production';
  readonly databaseUrl: string | undefined;
  /** Undefined keeps the data in memory. */
  readonly directory: string | undefined;
  readonly host: string;
  readonly ports: Readonly<Partial<Record<SubgraphName, number>>>;
}

const MIN_SECRET_LENGTH = 32;

/**
 * | variable | meaning | default |
 * |---|---|---|
 * | `GATEFOLD_IDENTITY_SECRET` | key of the callers' identity, the same as the gateway's | none: required |
 * | `GATEFOLD_PROFILE` | `dev` answers `_service` and introspection | `production` |
 * | `DATABASE_URL` | PostgreSQL server | embedded |
 * | `GATEFOLD_DATA_DIR` | where an embedded database keeps its data; `memory` keeps none | `.gatefold/data` |
 * | `SUBGRAPHS_HOST` | address to bind | `127.0.0.1` |
 * | `SUBGRAPH_<NAME>_PORT` | port of one subgraph | a free one |
 *
 * @throws Error with a sentence that says what to set
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): SubgraphsEnvironment {
  const secret = environment['GATEFOLD_IDENTITY_SECRET'];
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) {
    throw new Error(
      `GATEFOLD_IDENTITY_SECRET is ${secret === undefined ? 'not set' : 'too short'}. Set it to the same value as the gateway's, at least ${MIN_SECRET_LENGTH} characters; ` +
        '`openssl rand -hex 32` makes one. `npm start` does all this by itself.',
    );
  }
  const profile = environment['GATEFOLD_PROFILE'] ?? 'production';
  if (profile !== 'dev' && profile !== 'production') throw new Error('GATEFOLD_PROFILE is dev or production.');
  const directory = environment['GATEFOLD_DATA_DIR'] || '.gatefold/data';
  return {
    identitySecret: secret,
    profile,
    databaseUrl: environment['DATABASE_URL'] || undefined,
    directory: directory === 'memory' ? undefined : resolve(directory),
    host: environment['SUBGRAPHS_HOST'] || '127.0.0.1',
    ports: Object.fromEntries(SUBGRAPH_NAMES.flatMap((name) => readPort(name, environment))),
  };
}

function readPort(name: SubgraphName, environment: Readonly<Record<string, string | undefined>>): readonly (readonly [string, number])[] {
  const variable = `SUBGRAPH_${name.toUpperCase()}_PORT`;
  const text = environment[variable];
  if (text === undefined || text === '') return [];
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`${variable} must be a port, 0 to 65535.`);
  return [[name, port]];
}
