import { ApolloClient, HttpLink, InMemoryCache, type ApolloLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client as UrqlClient, subscriptionExchange } from '@urql/core';
import { EventSource } from 'eventsource';
import { gql } from 'graphql-tag';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { readStream } from './stream-reader.ts';

/** A subscription of a test. */
export interface Wanted {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Receives the events of a subscription. */
export interface Heard {
  next(result: unknown): void;
  complete(): void;
  error(reason: unknown): void;
}

/** A subscription client, used as in applications. */
export interface SubscriptionClient {
  readonly name: string;
  /** Whether it can send a token. */
  readonly takesToken: boolean;
  /** @returns a function that ends the subscription */
  subscribe(url: string, wanted: Wanted, heard: Heard, token?: string): () => void;
}

// Apollo's link checks close events with the browser global, which Node 20 does not have.
globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;

/** All clients that are supported. */
export const SUBSCRIPTION_CLIENTS: readonly SubscriptionClient[] = [
  {
    name: 'graphql-ws',
    takesToken: true,
    subscribe(url, wanted, heard, token) {
      const client = wsClient(url, token);
      const stop = client.subscribe({ query: wanted.query, variables: wanted.variables ?? null }, heard);
      return () => {
        stop();
        void client.dispose();
      };
    },
  },
  {
    name: 'Apollo Client by GraphQLWsLink',
    takesToken: true,
    subscribe(url, wanted, heard, token) {
      const client = wsClient(url, token);
      const stop = byApollo(new GraphQLWsLink(client), wanted, heard);
      return () => {
        stop();
        void client.dispose();
      };
    },
  },
  {
    name: 'Apollo Client by multipart HTTP',
    takesToken: true,
    subscribe: (url, wanted, heard, token) => byApollo(new HttpLink({ uri: `${url}/graphql`, headers: headersOf(token) }), wanted, heard),
  },
  {
    name: 'urql',
    takesToken: true,
    subscribe(url, wanted, heard, token) {
      const client = wsClient(url, token);
      const forward = subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: client.subscribe(
              { query, variables: variables as Record<string, unknown> },
              {
                next: ({ data = null, errors }) => sink.next({ data, ...(errors === undefined ? {} : { errors }) }),
                error: (reason) => sink.error(reason),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      });
      const urql = new UrqlClient({ url: `${url}/graphql`, exchanges: [forward], preferGetMethod: false });
      const { unsubscribe } = urql.subscription(gql(wanted.query), wanted.variables ?? {}).subscribe(({ data, error, hasNext }) => {
        if (error !== undefined) heard.error(error);
        else if (!hasNext)
          heard.complete(); // urql repeats the last event with it.
        else if (data !== undefined) heard.next({ data: data as unknown });
      });
      return () => {
        unsubscribe();
        void client.dispose();
      };
    },
  },
  {
    name: 'graphql-sse',
    takesToken: true,
    subscribe(url, wanted, heard, token) {
      const client = createSseClient({ url: `${url}/graphql`, headers: headersOf(token), retryAttempts: 0 });
      const stop = client.subscribe({ query: wanted.query, variables: { ...wanted.variables } }, heard);
      return () => {
        stop();
        client.dispose();
      };
    },
  },
  {
    name: 'fetch',
    takesToken: true,
    subscribe(url, wanted, heard, token) {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json', ...headersOf(token) };
      const opening = readStream(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(wanted) });
      void opening
        .then(async (reader) => {
          let seen = 0;
          for (;;) {
            const text = await reader.until(new RegExp(`^(?:[^]*?event: ){${seen + 1}}[^]*?\\n\\n`));
            const event = text.split('event: ')[seen + 1] ?? '';
            seen += 1;
            if (event.startsWith('complete')) return heard.complete();
            heard.next(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''));
          }
        })
        .catch((error: unknown) => heard.error(error));
      return () => void opening.then((reader) => reader[Symbol.asyncDispose]());
    },
  },
  {
    name: 'EventSource',
    takesToken: false,
    subscribe(url, { query, variables = {} }, heard) {
      const source = new EventSource(`${url}/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`);
      source.addEventListener('next', ({ data }) => heard.next(JSON.parse(data as string)));
      source.addEventListener('complete', () => {
        source.close();
        heard.complete();
      });
      source.addEventListener('error', (error) => heard.error(error));
      return () => source.close();
    },
  },
];

function headersOf(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function wsClient(url: string, token: string | undefined) {
  return createWsClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headersOf(token),
    retryAttempts: 0,
  });
}

function byApollo(link: ApolloLink, { query, variables = {} }: Wanted, heard: Heard): () => void {
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const subscription = client.subscribe({ query: gql(query), variables }).subscribe({
    next: ({ data, error }) => (error === undefined ? heard.next({ data }) : heard.error(error)),
    error: (error) => heard.error(error),
    complete: () => heard.complete(),
  });
  return () => {
    subscription.unsubscribe();
    client.stop();
  };
}
