import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

// Runs subgraphs with long lists, and sends operations that read them. The parent process controls it by messages.

/** Message from the parent process: an operation to send. */
export interface LargeResultCommand {
  readonly url: string;
  readonly query: string;
}

/** Messages to the parent process: first the port of the subgraphs, then the result of each command. */
export type LargeResultReport = { readonly port: number } | LargeResult;

export interface LargeResult {
  readonly status: number;
  /** @unit bytes */
  readonly bytes: number;
  /** Hash of the body. */
  readonly hash: string;
  /** @unit milliseconds */
  readonly elapsedMs: number;
  readonly beginning: string;
}

const ENTITIES = 100_000;
const ROWS = 250_000;

const list = (length: number, item: (index: number) => string): string => Array.from({ length }, (_, index) => item(index)).join(',');

/** Responses by the field that a request selects. They are made once, so that this process uses no CPU time for them. */
const responses: readonly (readonly [string, Buffer])[] = [
  ['_entities', Buffer.from(`{"data":{"_entities":[${list(ENTITIES, (index) => `{"price":${index}.5,"stock":${index % 50}}`)}]}}`)],
  [
    'items',
    Buffer.from(
      `{"data":{"items":[${list(ENTITIES, (index) => `{"__typename":"Item","id":"i${index}","name":"Name of item ${index}"}`)}]}}`,
    ),
  ],
  ['rows', Buffer.from(`{"data":{"rows":[${list(ROWS, printRow)}]}}`)],
  ['ping', Buffer.from('{"data":{"ping":"pong"}}')],
];

function printRow(index: number): string {
  return `{"id":"${index}","title":"${'A title of some words. '.repeat(3)}","summary":"${'text '.repeat(12)}","count":${index},"isNew":${index % 2 === 0}}`;
}

const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
  void (async () => {
    const body = await readBody(incoming);
    const [, bytes] = responses.find(([field]) => body.includes(field)) ?? [];
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes?.length ?? 0 }).end(bytes);
  })();
});

/** Reads the beginning of a body, which contains the document, and discards the rest. */
async function readBody(incoming: IncomingMessage): Promise<string> {
  let beginning = '';
  for await (const chunk of incoming) if (beginning.length < 500) beginning += (chunk as Buffer).toString('latin1', 0, 500);
  return beginning;
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port } satisfies LargeResultReport));

process.on('message', ({ url, query }: LargeResultCommand) => {
  void (async () => {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const { statusCode: status, body } = await request(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
      headersTimeout: 0,
    });
    const hash = createHash('sha1');
    let bytes = 0;
    let beginning = '';
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < 200) beginning += chunk.toString('utf8', 0, 200);
      bytes += chunk.length;
      hash.update(chunk);
    }
    const elapsedMs = performance.now() - startedAt;
    process.send?.({ status, bytes, hash: hash.digest('hex'), elapsedMs, beginning } satisfies LargeResultReport);
  })();
});
process.on('disconnect', () => process.exit());
