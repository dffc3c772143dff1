import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { request as startRequest } from '../../platform/http/node-http.ts';

/** A worker that serves requests, or that finishes its last ones. */
export interface WorkerEndpoint {
  /** Lowest number that was free when the worker was started, beginning at 1. */
  readonly number: number;
  /** URL of the internal listener of the worker, which only this machine can reach. */
  readonly internalUrl: string;
  /** Whether the worker accepts new requests. A worker that is being stopped does not. */
  readonly isServing: boolean;
}

/** Request of the primary to the internal listener of a worker. */
export interface WorkerRequest {
  readonly method: string;
  /** Request target. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout for the complete response. @unit milliseconds */
  readonly timeoutMs: number;
}

export interface WorkerResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a request to a worker. A connection is used once: a worker that is being stopped closes idle connections, and a request on such a
 * connection would be lost.
 *
 * @returns undefined when the worker does not respond in time
 */
export async function requestWorker({ internalUrl }: WorkerEndpoint, sent: WorkerRequest): Promise<WorkerResponse | undefined> {
  const { method, target, headers = {}, body = '', timeoutMs } = sent;
  const ended = AbortSignal.timeout(timeoutMs);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === '' && method !== 'PUT' && method !== 'POST' ? {} : { 'content-length': Buffer.byteLength(body) };
      startRequest({ ...workerAddress(internalUrl), path: target, method, headers: { ...headers, ...length }, agent: false, signal: ended })
        .once('response', resolve)
        .once('error', reject)
        .end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  } catch {
    return undefined;
  }
}

/** Returns the address of a worker. The target of a request is never resolved as a URL, because it could name another host. */
export function workerAddress(internalUrl: string): { readonly host: string; readonly port: string } {
  const { hostname, port } = new URL(internalUrl);
  return { host: hostname, port };
}
