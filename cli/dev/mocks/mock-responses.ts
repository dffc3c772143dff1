import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ExecutionArgs, OperationTypeNode, execute, getOperationAST, subscribe } from 'graphql';
import type { MockRequest } from './create-mock.ts';
import type { MockedSubgraph } from './mocked-subgraph.ts';

const EVENT_STREAM = 'text/event-stream';
const MAX_BODY_BYTES = 10_485_760;

/** Responds to a request: with JSON, or with server-sent events for a subscription of a client that accepts them. */
export async function respondAsMock(subgraph: MockedSubgraph, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body === undefined) return send(response, 400, failed('Send a GraphQL request with POST, as JSON with the key "query".'));
    const { mock, failure, overrides } = subgraph;
    if (mock === undefined) return send(response, 500, failed(failure));
    const prepared = mock.prepare(body, overrides);
    if (!('document' in prepared)) return send(response, 200, { errors: prepared });
    if (!isSubscription(prepared)) return send(response, 200, await execute(prepared));
    if (request.headers.accept?.includes(EVENT_STREAM) === true) return await sendEvents(prepared, response);
    send(response, 400, failed(`Send a subscription with "Accept: ${EVENT_STREAM}" or over WebSocket.`));
  } catch (error) {
    send(response, 500, failed(error instanceof Error ? error.message : String(error)));
  }
}

function isSubscription({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

/** Sends the events in the "distinct connections mode" of GraphQL over SSE (graphql-sse, PROTOCOL.md). */
async function sendEvents(prepared: ExecutionArgs, response: ServerResponse): Promise<void> {
  const events = await subscribe(prepared);
  response.writeHead(200, { 'content-type': EVENT_STREAM });
  if ('next' in events) {
    const closed = once(response, 'close');
    while (!response.destroyed) {
      const event = await Promise.race([events.next(), closed]);
      if (response.destroyed || !('value' in event)) break;
      response.write(eventText('next', event.value));
    }
    void events.return();
  } else response.write(eventText('next', events));
  response.end(eventText('complete', ''));
}

function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${data === '' ? '' : JSON.stringify(data)}\n\n`;
}

function failed(message: string) {
  return { errors: [{ message }] };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Reads a GraphQL request; undefined if the body is not one. */
async function readBody(request: IncomingMessage): Promise<MockRequest | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  try {
    const body = JSON.parse(await text(request)) as Partial<MockRequest> | null;
    return typeof body?.query === 'string' ? { ...body, query: body.query } : undefined;
  } catch {
    return undefined;
  }
}
