import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';

/** A response whose multipart content is read piece by piece, as they arrive. */
export interface MultipartResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Returns the next part as a value, or undefined after the closing delimiter. @throws Error when the connection closes before it */
  next(): Promise<unknown>;
  /** Returns the remaining values. */
  rest(): Promise<readonly unknown[]>;
  /** Closes the connection. */
  leave(): void;
}

export interface MultipartRequest {
  readonly url: string;
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `Accept` header of clients that support incremental delivery. */
export const ACCEPT_MULTIPART = 'multipart/mixed;deferSpec=20220824,application/json';

/** Sends a request, and resolves when the response headers arrive. */
export async function requestMultipart({ url, body, method = 'POST', headers = {} }: MultipartRequest): Promise<MultipartResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = sendRequest(
      url,
      { method, agent: false, headers: { accept: ACCEPT_MULTIPART, 'content-type': 'application/json', ...headers } },
      resolve,
    );
    request.on('error', reject);
    request.end(body === undefined ? '' : JSON.stringify(body));
  });
  const type = response.headers['content-type'] ?? '';
  const parts = type.startsWith('multipart/mixed') ? readParts(response, boundaryOf(type)) : readWhole(response);
  const next = async (): Promise<unknown> => {
    const { value, done } = await parts.next();
    return done === true ? undefined : value;
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async rest() {
      const found: unknown[] = [];
      for (let part = await next(); part !== undefined; part = await next()) found.push(part);
      return found;
    },
    leave: () => response.destroy(),
  };
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Error(`The media type has no boundary: ${contentType}.`);
  return boundary;
}

async function* readWhole(response: IncomingMessage): AsyncGenerator {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  yield text === '' ? null : (JSON.parse(text) as unknown);
}

/** Reads multipart content (RFC 2046, section 5.1). A part is complete when the delimiter after it arrives. */
async function* readParts(response: IncomingMessage, boundary: string): AsyncGenerator {
  const delimiter = `\r\n--${boundary}`;
  let text = '';
  let isPreamble = true;
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter)) {
      const part = text.slice(0, at);
      text = text.slice(at + delimiter.length);
      if (isPreamble) isPreamble = false;
      else yield readPart(part);
      if (text.startsWith('--')) return;
    }
  }
  throw new Error(`The response ended before its last delimiter: ${JSON.stringify(text)}`);
}

function readPart(part: string): unknown {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end).toLowerCase();
  if (end === -1 || !head.includes('content-type: application/json'))
    throw new Error(`A part has no JSON headers: ${JSON.stringify(part)}`);
  return JSON.parse(part.slice(end + 4));
}
