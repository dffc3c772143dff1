import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { type RunningWebhooks, serveWebhooks } from '../../../../subgraphs/webhooks/service/serve-webhooks.ts';
import { readWebhooksConfiguration } from '../../../../cli/webhooks/read-webhooks-configuration.ts';
import { createGateway } from '../../../../gateway/index.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { freePort } from '../../../support/http/free-port.ts';
import { signToken } from '../../../support/identity/tokens.ts';

const SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requiresScopes"])
  type Query { user(id: ID!): User }
  type Mutation { addNote(text: String!): Note! }
  type Subscription { noteAdded: Note! }
  type User @key(fields: "id") { id: ID! name: String! roles: [String!]! scopes: [String!]! }
  type Note { id: ID! text: String! secret: String @requiresScopes(scopes: [["notes:secret"]]) }
`;

const EVENT = `
  "A note was added."
  subscription NoteAdded @webhook(event: "note.added") { noteAdded { id @entity text secret } }
`;

const OWNER_QUERY = 'query Owner($id: ID!) { user(id: $id) { roles scopes } }';

/** A user of the graph, whom tests change. */
export interface GraphUser {
  readonly id: string;
  readonly name: string;
  roles: string[];
  scopes: string[];
}

/** A graph with users and notes, a gateway, and the webhook service as one of the subgraphs. */
export interface OwnGraph extends AsyncDisposable {
  readonly users: Map<string, GraphUser>;
  readonly service: RunningWebhooks;
  request<Data>(query: string, options?: { readonly as?: string; readonly variables?: object }): Promise<Result<Data>>;
}

export interface Result<Data> {
  readonly data: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

export interface OwnGraphOptions {
  /** Variables of the database of the service. */
  readonly database: Readonly<Record<string, string>>;
  /** Form of the identities that the gateway sends. */
  readonly form: 'jwt' | 'bound';
}

/** Starts everything on free ports. */
export async function startOwnGraph({ database, form }: OwnGraphOptions): Promise<OwnGraph> {
  const users = new Map<string, GraphUser>(
    [
      { id: '7f3a-ada', name: 'Ada', roles: ['editor'], scopes: ['notes:secret'] },
      { id: 'ben', name: 'Ben', roles: [], scopes: [] },
      { id: 'olga', name: 'Olga', roles: ['operator'], scopes: [] },
    ].map((user) => [user.id, user]),
  );
  const subgraph = await serveNotes(users);
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-own-graph-'));
  await writeFile(join(directory, 'notes.graphql'), EVENT);
  await writeFile(join(directory, 'owner.txt'), OWNER_QUERY);
  const [identitySecret, serviceSecret, developmentKey] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [string, string, string];
  const internalPort = await freePort();
  const config = await readWebhooksConfiguration(
    { profile: 'dev', port: 0 },
    {
      ...database,
      GATEFOLD_IDENTITY_SECRET: identitySecret,
      GATEFOLD_SERVICE_SECRET: serviceSecret,
      GATEFOLD_GATEWAY_URL: `http://127.0.0.1:${internalPort}`,
      GATEFOLD_WEBHOOKS__DOCUMENTS: directory,
      GATEFOLD_WEBHOOKS__OWNERS__TYPE: 'User',
      GATEFOLD_WEBHOOKS__OWNERS__QUERY: join(directory, 'owner.txt'),
      GATEFOLD_WEBHOOKS__OWNERS__CACHE_SECONDS: '0',
      GATEFOLD_WEBHOOKS__OWNERS__ADMIN_ROLE: 'operator',
      GATEFOLD_WEBHOOKS__LOGGING__LEVEL: 'silent',
    },
  );
  const service = await serveWebhooks(config);
  // The SDL is read from the running service, as `gatefold compose` does.
  const url = `${service.url}/graphql`;
  const response = await fetch(url, { method: 'POST', body: '{"query":"{ _service { sdl } }"}' });
  const { data } = (await response.json()) as { readonly data: { readonly _service: { readonly sdl: string } } };
  const composed = composeSubgraphs([
    { name: 'notes', url: subgraph.url, files: [{ path: 'notes.graphql', text: SDL }] },
    { name: 'webhooks', url, files: [{ path: 'webhooks.graphql', text: data._service.sdl }] },
  ]);
  if (composed.supergraphSdl === undefined) throw new Error(JSON.stringify(composed));
  const gateway = await createGateway({
    profile: 'dev',
    server: { port: 0, internalPort },
    supergraph: { sdl: composed.supergraphSdl },
    auth: { developmentKey },
    identity: { form, secret: identitySecret, serviceSecret },
    logging: { level: 'silent' },
    subgraphs: { override: { notes: { subscriptions: { transport: 'sse' } } } },
  });
  const listening = await gateway.listen();
  return {
    users,
    service,
    async request<Data>(query: string, { as, variables }: { readonly as?: string; readonly variables?: object } = {}) {
      const user = as === undefined ? undefined : users.get(as);
      const claims = { sub: as, roles: user?.roles ?? [], scope: (user?.scopes ?? []).join(' ') };
      const response = await fetch(`${listening.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(as === undefined ? {} : { authorization: `Bearer ${signToken(claims, { key: developmentKey })}` }),
        },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as Result<Data>;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Loaded without its types, which add those of browsers to the whole program. */
const YOGA: string = 'graphql-yoga';

interface Yoga {
  createPubSub(): { publish(topic: string, event: object): void; subscribe(topic: string): AsyncIterable<object> };
  createYoga(options: object): RequestListener;
}

async function serveNotes(users: ReadonlyMap<string, GraphUser>) {
  const { createPubSub, createYoga } = (await import(YOGA)) as Yoga;
  const events = createPubSub();
  let notes = 0;
  const schema = buildSubgraphSchema({
    typeDefs: parse(SDL),
    resolvers: {
      Query: { user: (_root: unknown, { id }: { readonly id: string }) => users.get(id) ?? null },
      Mutation: {
        addNote(_root: unknown, { text }: { readonly text: string }) {
          const note = { id: String(++notes), text, secret: `secret of ${text}` };
          events.publish('noteAdded', { noteAdded: note });
          return note;
        },
      },
      Subscription: { noteAdded: { subscribe: () => events.subscribe('noteAdded') } },
      User: { __resolveReference: ({ id }: { readonly id: string }) => users.get(id) ?? null },
    },
  });
  const server = createServer(createYoga({ schema, graphqlEndpoint: '/', landingPage: false, logging: false }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
