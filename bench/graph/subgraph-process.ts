import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { responseBody } from './response-body.ts';
import { createReplay } from './replay.ts';
import { createSubgraphs } from './subgraphs.ts';

// Runs the four subgraphs in one process, each on a separate port. The parent process controls it by messages.

/** Messages from the parent process. */
export type SubgraphCommand =
  | { readonly delayMs: number }
  /** Responses of the server that serves whole operations. */
  | { readonly responses: readonly { readonly body: string; readonly text: string }[] }
  | 'count';

/**
 * Messages to the parent process: first the ports, beginning with that of the server of whole operations; then the number of requests since
 * the last message.
 */
export type SubgraphReport = { readonly ports: readonly number[] } | { readonly requests: number };

let delayMs = 0;
let requests = 0;

function send(report: SubgraphReport): void {
  process.send?.(report);
}

function respond(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

function read(request: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function open(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const whole = new Map<string, string>();

const responders = [
  createReplay((body) => whole.get(body) ?? '{"errors":[{"message":"Unknown operation."}]}'),
  ...createSubgraphs().map(({ schema }) => createReplay((body) => responseBody(schema, body))),
];

const servers = responders.map((sendResponse) =>
  createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    requests += 1;
    read(request, (body) => {
      void (async () => {
        const text = await sendResponse(body);
        if (delayMs > 0) setTimeout(respond, delayMs, response, text);
        else respond(response, text);
      })();
    });
  }),
);

process.on('message', (command: SubgraphCommand) => {
  if (command === 'count') {
    send({ requests });
    requests = 0;
  } else if ('responses' in command) {
    for (const { body, text } of command.responses) whole.set(body, text);
  } else {
    ({ delayMs } = command);
  }
});
process.on('disconnect', () => process.exit());
send({ ports: await Promise.all(servers.map(open)) });
