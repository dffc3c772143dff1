import { EventEmitter, on, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { gql } from 'graphql-tag';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
    @link(url: "https://gatefold.dev/cache/v1.0", import: ["@cacheControl"])
    @composeDirective(name: "@cacheControl")
  enum CacheControlScope { PUBLIC PRIVATE }
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT
  type Query { page: Page note: Note }
  type Mutation { sign(key: String!): Note }
  type Subscription { signed: Note }
  type Page @cacheControl(maxAge: 600, scope: PUBLIC) { "Number of requests so far." version: Int }
  type Note { text: String }
`;

/** A subgraph with a cacheable page, mutations that are counted, and a subscription over WebSocket. */
export interface EventSubgraph extends AsyncDisposable {
  readonly supergraph: string;
  /** Number of executions of the mutation by key. */
  readonly executions: ReadonlyMap<string, number>;
  /** Makes mutations wait until they are released, so that a test can send others meanwhile. */
  hold(): { readonly release: () => void };
  /** Number of open subscriptions. */
  subscriptions(): number;
  /** Sends an event to all subscriptions. */
  publish(text: string): void;
}

/** Starts the subgraph on a free port. */
export async function startEventSubgraph(): Promise<EventSubgraph> {
  let released = Promise.resolve();
  const events = new EventEmitter().setMaxListeners(0);
  const executions = new Map<string, number>();
  let version = 0;
  const rootValue = {
    page: () => ({ version: (version += 1) }),
    note: { text: 'a note' },
    async sign({ key }: { readonly key: string }) {
      executions.set(key, (executions.get(key) ?? 0) + 1);
      await released;
      return { text: key };
    },
    async *signed() {
      for await (const [signed] of on(events, 'signed')) yield { signed: { text: String(signed) } };
    },
  };
  const schema = buildSubgraphSchema({ typeDefs: gql(SDL) });
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
      const result = await graphql({ schema, source: query, variableValues: variables, rootValue });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    });
  });
  const sockets = new WebSocketServer({ server });
  useServer({ schema, roots: { subscription: rootValue } }, sockets);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const composition = composeSubgraphs([{ name: 'notes', url, files: [{ path: 'notes.graphql', text: SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return {
    supergraph: composition.supergraphSdl,
    executions,
    hold() {
      let release = (): void => {};
      released = new Promise<void>((resolve) => {
        release = resolve;
      });
      return { release };
    },
    subscriptions: () => events.listenerCount('signed'),
    publish: (published) => void events.emit('signed', published),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
