import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../../../support/database/throwaway-database.ts';
import { listenOn } from '../../../support/http/free-port.ts';

const EVENT = 'subscription Added @webhook(event: "note.added") { noteAdded { id } }';

let directory: string;
let database: ThrowawayDatabase;
let used: Awaited<ReturnType<typeof listenOn>>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-webhooks-'));
  await Promise.all([
    writeFile(join(directory, 'event.graphql'), EVENT),
    writeFile(join(directory, 'mutation.txt'), 'mutation ($id: ID!) { remove(id: $id) }'),
    writeFile(join(directory, 'other.txt'), 'query ($user: ID!) { user(id: $user) { id } }'),
    writeFile(join(directory, 'broken.txt'), 'query {'),
  ]);
  used = await listenOn(0);
  database = await createThrowawayDatabase();
});
afterAll(async () => {
  await used.close();
  await database[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const printed: string[] = [];
  const warned: string[] = [];
  const exitCode = await runCommandLine(['webhooks', ...args], {
    env,
    print: (text) => void printed.push(text),
    warn: (text) => void warned.push(text),
    stopSignal: () => AbortSignal.abort(),
  });
  return { exitCode, printed: printed.join('\n'), warned: warned.join('\n') };
}

const serve = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  run(['serve', '--profile', 'dev', '--port', '0', ...args], {
    GATEFOLD_IDENTITY_SECRET: 'i'.repeat(32),
    GATEFOLD_SERVICE_SECRET: 's'.repeat(32),
    GATEFOLD_WEBHOOKS__DOCUMENTS: directory,
    GATEFOLD_WEBHOOKS__DATABASE__URL: database.url,
    ...env,
  });

describe('gatefold webhooks serve', () => {
  it.each([
    ['a missing directory of documents', { GATEFOLD_WEBHOOKS__DOCUMENTS: '/nowhere' }, '/nowhere contains no event documents'],
    ['an owner query that is a mutation', { GATEFOLD_WEBHOOKS__OWNERS__QUERY: 'mutation.txt' }, 'mutation.txt is a mutation'],
    ['an owner query with another variable', { GATEFOLD_WEBHOOKS__OWNERS__QUERY: 'other.txt' }, 'does not have exactly the variable $id'],
    ['an owner query with a syntax error', { GATEFOLD_WEBHOOKS__OWNERS__QUERY: 'broken.txt' }, 'broken.txt is not valid GraphQL'],
    ['a missing owner query', { GATEFOLD_WEBHOOKS__OWNERS__QUERY: 'missing.txt' }, 'missing.txt cannot be read'],
  ])('names %s without a stack trace', async (_what, env, message) => {
    const query =
      'GATEFOLD_WEBHOOKS__OWNERS__QUERY' in env
        ? { GATEFOLD_WEBHOOKS__OWNERS__QUERY: join(directory, env.GATEFOLD_WEBHOOKS__OWNERS__QUERY ?? '') }
        : {};

    const { exitCode, warned } = await serve({ ...env, ...query });

    expect({ exitCode, hasStack: /\n\s+at /.test(warned) }).toEqual({ exitCode: 1, hasStack: false });
    expect(warned).toContain(message);
  });

  it('names a database that cannot be reached, without its password', async () => {
    const unreachable = { GATEFOLD_WEBHOOKS__DATABASE__URL: 'postgres://me:hunter2@127.0.0.1:1/hooks' };

    const { exitCode, warned } = await serve(unreachable);

    expect(exitCode).toBe(1);
    expect(warned).toContain('The database at 127.0.0.1:1/hooks cannot be used');
    expect(warned).not.toMatch(/hunter2|\n\s+at /);
  });

  it('names a port that is in use', async () => {
    const { exitCode, warned } = await serve({}, '--port', String(used.port));

    expect(exitCode).toBe(1);
    expect(warned).toContain(`cannot listen on 127.0.0.1:${used.port}: the port is already in use`);
    expect(warned).not.toMatch(/\n\s+at /);
  });

  it('prints the address, the database and the events', async () => {
    const { exitCode, printed } = await serve({});

    expect(exitCode).toBe(0);
    expect(printed).toMatch(
      /^The webhook service listens on http:\/\/127\.0\.0\.1:\d+\/graphql, with the data in PostgreSQL at \S+\/gatefold_test_\w+\. Events: note\.added\.$/,
    );
  });
});

describe('gatefold webhooks sdl', () => {
  it('rejects an owner type that is not a name', async () => {
    const { exitCode, warned } = await run(['sdl', '--owner-type', 'not a name']);

    expect(exitCode).toBe(2);
    expect(warned).toContain('Use a name of a GraphQL schema.');
  });

  it('prints SDL that composes with a graph that has the same common types', async () => {
    const { printed } = await run(['sdl', '--owner-type', 'Person', '--owner-key', 'personId']);
    const people = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
      type Query { person(id: ID!): Person }
      type Person @key(fields: "personId") { personId: ID! name: String }
      type PageInfo { isLast: Boolean! }
      type UserError { reason: String! }
      enum ErrorCode { BROKEN }
      enum SortDirection { UP DOWN }
      interface Node { key: ID! }
    `;
    const composition = composeSubgraphs([
      { name: 'people', url: 'http://127.0.0.1:1', files: [{ path: 'people.graphql', text: people }] },
      { name: 'webhooks', url: 'http://127.0.0.1:2', files: [{ path: 'webhooks.graphql', text: printed }] },
    ]);

    expect(composition).toMatchObject({ supergraphSdl: expect.any(String) });
    const webhook = buildSchema(composition.supergraphSdl ?? '', { assumeValidSDL: true }).getType('Webhook') as GraphQLObjectType;
    expect(String(webhook.getFields()['owner']?.type)).toBe('Person!');
  });
});
