import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/**
 * Answers requests with an `Expect` header by the handler of all others. A client that waits to be asked for its body is asked when
 * somebody begins to read it, and not before, as Node would by itself: what is refused by its head alone is refused at once
 * (RFC 9110, section 10.1.1). Expectations that nobody knows are passed over.
 */
export function answerExpectations(server: Server, handler: RequestListener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    askWhenRead(request, response);
    handler(request, response);
  });
  server.on('checkExpectation', handler);
}

/** Whoever reads a body, in whatever way, listens for one of two events first; so no handler has to know of this. */
function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', ask);
    if (!response.headersSent) response.writeContinue(); // later it is read to be dropped
  };
  request.on('newListener', ask);
}
