import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as openRequest } from 'node:http';
import { responseIssues } from '../description/response-issues.ts';
import { fetchDescriptions } from '../description/fetch-descriptions.ts';
import { undocumentedHeaders } from './documented-headers.ts';
import { leaksOf } from './nothing-leaks.ts';
import { unpacked } from './unpacked.ts';

export interface HttpRequest {
  /** @defaultValue GET */
  readonly method?: string;
  /** Sent unchanged, without normalization. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Bearer token. */
  readonly token?: string | undefined;
  readonly body?: string | Buffer;
  /** Body as a value. Sets `Content-Type: application/json` unless the headers name another type. */
  readonly json?: unknown;
  /** Origin that overrides the origin of the client. */
  readonly origin?: string;
  /** Maximum wait for the first event of a stream, which is then closed. @unit milliseconds @defaultValue the stream is read to its end */
  readonly streamPatienceMs?: number;
}

/** JSON of any shape. */
export type AnyBody = Readonly<Record<string, unknown>>;

export interface HttpResponse<Body = AnyBody> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly text: string;
  readonly bytes: Buffer;
  /** Whether it was read to its end. @defaultValue true */
  readonly isWhole?: boolean;
  /** Body parsed as JSON, in the shape that the test expects. Undefined when the body is not JSON. */
  readonly body: Body;
}

export interface HttpClient {
  readonly origin: string;
  /** Sends one request. Checks every response for leaks. A leak fails the test that sent the request. */
  send<Body = AnyBody>(request: HttpRequest): Promise<HttpResponse<Body>>;
  get<Body = AnyBody>(path: string, options?: Omit<HttpRequest, 'path' | 'method'>): Promise<HttpResponse<Body>>;
  post<Body = AnyBody>(path: string, json: unknown, options?: Omit<HttpRequest, 'path' | 'method' | 'json'>): Promise<HttpResponse<Body>>;
}

export interface HttpClientOptions {
  readonly origin: string;
  /** Texts that must not appear in an error response. */
  readonly secrets?: readonly string[];
  /**
   * Origins that serve a description of their REST interface. A response of them that does not match it fails the test that sent the
   * request.
   */
  readonly described?: readonly string[];
}

/** Creates a client that changes nothing: no redirects, no retries, raw paths and headers, unmodified bytes. */
export function createHttpClient({ origin, secrets = [], described = [] }: HttpClientOptions): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const send = async <Body>(sent: HttpRequest): Promise<HttpResponse<Body>> => {
    const response = await exchange<Body>(sent.origin ?? origin, sent, agent);
    const method = sent.method ?? 'GET';
    const quotable = [sent.path, safelyDecoded(sent.path), bodyOf(sent)?.toString() ?? '', ...Object.values(sent.headers ?? {})].join('\n');
    const what = `${method} ${sent.path.slice(0, 200)}`;
    const leaks = leaksOf({
      what,
      method,
      status: response.status,
      headers: response.headers,
      text: response.text,
      sent: quotable,
      secrets,
    });
    if (leaks.length > 0) {
      throw new Error(`${what} returned status ${String(response.status)} with ${leaks.join('; ')}\n${response.text.slice(0, 2_000)}`);
    }
    if (described.includes(sent.origin ?? origin)) await checkDescribed(what, sent.origin ?? origin, { sent, response });
    return response;
  };
  return {
    origin,
    send,
    get: (path, options = {}) => send({ ...options, path }),
    post: (path, json, options = {}) => send({ ...options, method: 'POST', path, json }),
  };
}

async function checkDescribed(
  what: string,
  origin: string,
  { sent, response }: { readonly sent: HttpRequest; readonly response: HttpResponse<unknown> },
): Promise<void> {
  const exchange = { ...response, method: sent.method ?? 'GET', target: sent.path };
  const undocumented = undocumentedHeaders(Object.keys(response.headers)).map(
    (name) => `docs/reference/http-headers.md has no header ${name}`,
  );
  const failures = [...responseIssues(exchange, await fetchDescriptions(origin)), ...undocumented];
  if (failures.length === 0) return;
  throw new Error(`The response to ${what} does not match its description: ${failures.join('; ')}\n${response.text.slice(0, 2_000)}`);
}

function exchange<Body>(origin: string, sent: HttpRequest, agent: Agent): Promise<HttpResponse<Body>> {
  const { hostname, port } = new URL(origin);
  const body = bodyOf(sent);
  const headers: OutgoingHttpHeaders = {
    ...(sent.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const request = openRequest({ hostname, port, path: sent.path, method: sent.method ?? 'GET', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      const respond = (isWhole: boolean): void => {
        const bytes = Buffer.concat(chunks);
        const { statusCode = 0, headers, rawHeaders } = response;
        const text = unpacked(bytes, headers['content-encoding']).toString('utf8');
        resolve({ status: statusCode, headers, rawHeaders, bytes, text, isWhole, body: parsed(text) as Body });
      };
      const isStream = sent.streamPatienceMs !== undefined && response.headers['content-type']?.startsWith('text/event-stream') === true;
      const leave = (): void => {
        clearTimeout(timer);
        respond(false);
        response.destroy();
      };
      const timer = isStream ? setTimeout(leave, sent.streamPatienceMs) : undefined;
      if (isStream) response.once('data', leave);
      response.on('error', reject);
      response.on('end', () => {
        clearTimeout(timer);
        respond(true);
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function bodyOf({ body, json }: HttpRequest): string | Buffer | undefined {
  return json === undefined ? body : JSON.stringify(json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return path;
  }
}
