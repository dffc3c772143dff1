import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import type { z } from 'zod';
import { type SubgraphsConfig, subgraphs } from '../../../gateway/config/sections/subgraphs.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createSubgraphClient } from '../../../gateway/subgraph-client/create-subgraph-client.ts';
import { createIdentitySigner } from '../../../gateway/subgraph-client/sign-identity.ts';
import type { LargeResponses } from '../../../gateway/subgraph-client/large-responses.ts';
import type { SubgraphExecutor, SubgraphRequest } from '../../../gateway/supergraph/subgraph-executor.ts';

/** Handles one request as the test needs it. The body of the request has been read. */
export type Behavior = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server with the given behavior on a free port, and the client under test in front of it. */
export interface FakeSubgraph extends AsyncDisposable {
  readonly url: string;
  readonly request: SubgraphExecutor;
  /** Counts the open connections. */
  countConnections(): Promise<number>;
}

export interface FakeSubgraphOptions {
  readonly settings?: z.input<typeof subgraphs>;
  readonly identitySecret?: string;
  /** @defaultValue 'jwt' */
  readonly identityForm?: 'jwt' | 'bound';
  readonly logger?: Logger;
  /** Whether the server is the source `api` of a subgraph with connectors. @defaultValue it is a GraphQL server */
  readonly isBackEnd?: boolean;
  /** Whether a back end receives the identity of the caller. @defaultValue false */
  readonly sendsIdentity?: boolean;
  /** Limits for large responses. @defaultValue the limits of the client's settings */
  readonly largeResponses?: LargeResponses;
}

export async function startFakeSubgraph(behave: Behavior, options: FakeSubgraphOptions = {}): Promise<FakeSubgraph> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => behave(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const client = createSubgraphClient({
    subgraphs: new Map([['accounts', { name: 'accounts', url }]]),
    settings: settingsOf({ maxConnections: 4, ...options.settings }),
    identity:
      options.identitySecret === undefined
        ? undefined
        : createIdentitySigner({ key: { secret: options.identitySecret }, form: options.identityForm ?? 'jwt', clock: systemClock }),
    largeResponses: options.largeResponses,
    sources:
      options.isBackEnd === true
        ? new Map([['accounts', { origins: new Map([['api', new URL(url).origin]]), sendsIdentity: options.sendsIdentity ?? false }]])
        : undefined,
    logger: options.logger ?? silentLogger,
  });
  return {
    url,
    request: client,
    countConnections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns settings with all defaults, as the gateway passes them. */
export function settingsOf(input: z.input<typeof subgraphs> = {}): SubgraphsConfig {
  return subgraphs.parse(input);
}

/** Returns a behavior that sends one text. */
export function responding(text: string, contentType = 'application/json', status = 200): Behavior {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(text);
  };
}

export const REQUEST: SubgraphRequest = {
  subgraph: 'accounts',
  kind: 'query',
  body: '{"query":"{ me { id } }"}',
  context: { principal: ANONYMOUS, correlationId: 'trace-1', headers: { cookie: 'session=1' } },
};

/** A signal that is never aborted. */
export const NEVER = new AbortController().signal;
