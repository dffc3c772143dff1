import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse, type SelectionSetNode, Kind } from 'graphql';
import type { z } from 'zod';
import { openConnectors } from '../../../gateway/connector-client/open-connectors.ts';
import { resolveConnectors } from '../../../gateway/connector-client/resolve-connectors.ts';
import { connectors as connectorsSection } from '../../../gateway/config/sections/connectors.ts';
import type { subgraphs } from '../../../gateway/config/sections/subgraphs.ts';
import { readConnectorsOfSubgraph } from '../../../gateway/connectors/definition/read-connectors.ts';
import type { VirtualSubgraph } from '../../../gateway/connectors/expand/virtual-subgraph.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { createSubgraphClient } from '../../../gateway/subgraph-client/create-subgraph-client.ts';
import type { SubgraphRequest, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST, settingsOf } from './fake-subgraph.ts';

/** Response of a back end: a status and a body, which is sent as JSON unless it is a text. */
export interface BackEndResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Delay before the response. @unit milliseconds */
  readonly afterMs?: number;
}

/** A request as a back end received it. */
export interface BackEndRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** A subgraph with connectors in front of a REST server on a free port. */
export interface ConnectedBackEnd extends AsyncDisposable {
  /** Requests in order of arrival. */
  readonly received: readonly BackEndRequest[];
  /** Executes a request of a plan on one connector. */
  execute(connector: string, query: string, variables?: object, request?: Partial<SubgraphRequest>): Promise<SubgraphResponse>;
}

export interface ConnectedBackEndOptions {
  /** Schema of the subgraph, without the links. `BASE` is replaced by the URL of the server. */
  readonly schema: string;
  readonly respond: (request: BackEndRequest) => BackEndResponse;
  readonly settings?: z.input<typeof subgraphs>;
  readonly connectors?: z.input<typeof connectorsSection>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Fields of the keys by type. @defaultValue `id` */
  readonly keys?: Readonly<Record<string, string>>;
}

const LINKS = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key", "@external", "@requires"])
  @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
`;

/** Starts a REST server, and the connectors of a subgraph in front of it. */
export async function startConnectedBackEnd(options: ConnectedBackEndOptions): Promise<ConnectedBackEnd> {
  const received: BackEndRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const sent = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(sent);
      const { status = 200, headers: own = {}, body, afterMs = 0 } = options.respond(sent);
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
      setTimeout(() => response.writeHead(status, { 'content-type': 'application/json', ...own }).end(text), afterMs);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = parse(LINKS + options.schema.replaceAll('BASE', origin));
  const virtual = new Map<string, VirtualSubgraph>();
  for (const connector of readConnectorsOfSubgraph('shop', document)) {
    const { type, field, isEntity, index } = connector;
    const isRoot = type === 'Query' || type === 'Mutation';
    const name = `${field === undefined ? type : `${type}.${field}`}${index === 0 ? '' : `#${index + 1}`}`;
    const key = options.keys?.[type] ?? 'id';
    virtual.set(name, {
      name,
      connector,
      entry: isRoot ? (isEntity ? 'both' : 'root') : 'entities',
      keys: isRoot && !isEntity ? [] : [selectionSet(key)],
    });
  }
  const resolved = resolveConnectors(virtual, connectorsSection.parse(options.connectors ?? {}), options.environment ?? {});
  const settings = settingsOf({ retry: { maxRetries: 0 }, ...options.settings });
  const client = createSubgraphClient({ subgraphs: new Map(), settings, sources: resolved.sources, logger: silentLogger });
  const execute = openConnectors(resolved, { document, settings, send: client, logger: silentLogger });
  return {
    received,
    execute(connector, query, variables = {}, request = {}) {
      const body = JSON.stringify({ query, variables });
      const kind = query.startsWith('mutation') ? 'mutation' : 'query';
      return execute({ ...REQUEST, context: { ...REQUEST.context }, subgraph: connector, kind, body, ...request }, NEVER);
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function selectionSet(fields: string): SelectionSetNode {
  const [operation] = parse(`{ ${fields} }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('Not a selection set.');
  return operation.selectionSet;
}
