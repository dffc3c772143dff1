import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { OutgoingResponse } from './outgoing-response.ts';

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Changes the headers of a response when they are written. Handlers set their headers independently, so earlier changes could be
 * overwritten.
 */
export function onHead(response: OutgoingResponse, change: (response: OutgoingResponse) => void): void {
  const writeHead = response.writeHead.bind(response) as (status: number, reason?: string) => OutgoingResponse;
  response.writeHead = (status: number, reason?: string | Head, headers?: Head): OutgoingResponse => {
    setAll(response, typeof reason === 'string' ? headers : (headers ?? reason));
    change(response);
    return typeof reason === 'string' ? writeHead(status, reason) : writeHead(status);
  };
}

/** Sets headers like Node.js does: headers that are passed to `writeHead` override those that were set before. */
function setAll(response: OutgoingResponse, head: Head | undefined): void {
  if (head === undefined) return;
  if (!Array.isArray(head)) {
    for (const [name, value] of Object.entries(head)) if (value !== undefined) response.setHeader(name, value);
    return;
  }
  const names = head.filter((_, index) => index % 2 === 0).map(String);
  for (const name of names) response.removeHeader(name);
  for (const [index, name] of names.entries()) {
    const value = head[index * 2 + 1];
    if (value !== undefined) response.appendHeader(name, typeof value === 'number' ? String(value) : value);
  }
}
