import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { MockedSubgraph } from './mocked-subgraph.ts';

/** Subscriptions of a mock over graphql-transport-ws. */
export interface MockSockets extends Disposable {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Close code "going away" (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;

/** Accepts the sockets of the gateway. Credentials are not checked, because a mock has no data of users. */
export function createMockSockets(subgraph: MockedSubgraph): MockSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  useServer(
    {
      onSubscribe(_context, _id, { query, variables, operationName }) {
        const { mock, failure, overrides } = subgraph;
        if (mock === undefined) return [new GraphQLError(failure)];
        return mock.prepare({ query, variables: variables ?? undefined, operationName: operationName ?? undefined }, overrides);
      },
    },
    sockets,
  );
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
    },
    [Symbol.dispose]() {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
    },
  };
}
