import type { IncomingHttpHeaders } from 'node:http';

/** Internal details that no client may receive, in any form. */
const FORBIDDEN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a stack trace', /\bat (?:async )?[\w.$<>[\] ]+ ?\((?:file:|node:|\/)|\n\s+at\s|\\n\s+at\s/],
  ['a stack trace', /"stack(?:trace)?"\s*:/i],
  ['a source file', /node_modules|\.[cm]?[jt]s:\d+|file:\/\//],
  ['a path of the machine', /(?:^|["\s(=])\/(?:home|root|work|usr|var|tmp|opt|app|etc|proc)\//],
  ['an internal address', /\b127\.0\.0\.1\b|\blocalhost\b|\[::1\]|\b0\.0\.0\.0\b/i],
  ['an error of the network', /\bE(?:CONNREFUSED|CONNRESET|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b|UND_ERR_|socket hang up/],
  [
    'text of the database',
    /\bselect\b[^"]*\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate\b[^"]*\bset\b|\bpglite\b|\bpostgres|\bdrizzle\b/i,
  ],
  [
    'text of the database',
    /syntax error at or near|violates [\w-]+ constraint|duplicate key|relation "|invalid byte sequence|out of range for type/i,
  ],
  [
    'an error text of JavaScript',
    /\b(?:Type|Reference|Range)Error\b|cannot read propert|is not a function|is not iterable|\[object \w+\]/i,
  ],
  ['a text with a missing value', /\bundefined\b|\bNaN\b/],
];

const ENTRY_KEYS = new Set(['message', 'locations', 'path', 'extensions']);
const EXTENSION_KEYS = new Set(['code', 'requestId', 'cost']);
/** Keys of an error body in each format: flat, nested in `error`, or as in RFC 9457. */
const FLAT_KEYS = new Set(['error', 'message', 'traceId', 'details']);
const NESTED_KEYS = new Set(['code', 'message', 'requestId', 'details']);
const PROBLEM_KEYS = new Set(['type', 'title', 'status', 'detail', 'code', 'traceId', 'details']);
const ERROR_TYPE = /^application\/(?:json|vnd\.gatefold[\w.]*\+json|problem\+json)\b/;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

export interface Exchange {
  /** `GET /users/1`, for the message of a failure. */
  readonly what: string;
  readonly method: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Text that the client itself sent. A quotation of it in the response is not a leak. */
  readonly sent: string;
  /** URLs, ports and secrets of this run. */
  readonly secrets: readonly string[];
}

/** Lists everything that is wrong with an error response. Empty for a valid one. */
export function leaksOf(exchange: Exchange): readonly string[] {
  const { status, headers, text } = exchange;
  const found = [...headerIssues(headers)];
  const body = parsed(text);
  const isGraphql = isRecord(body) && Array.isArray(body['errors']);
  if (status >= 400 || isGraphql) {
    // In a response with partial data only the errors are searched, because the data belongs to the clients.
    found.push(...wordsOf(exchange, isGraphql ? JSON.stringify(body['errors']) : text));
  }
  if (isGraphql) found.push(...entryIssues(body['errors']));
  else if (status >= 400 && exchange.method !== 'HEAD') found.push(...flatIssues(body, headers));
  return found;
}

function wordsOf({ sent, secrets }: Exchange, text: string): readonly string[] {
  const found: string[] = [];
  for (const [name, pattern] of FORBIDDEN) {
    const match = pattern.exec(text);
    if (match !== null && !sent.includes(match[0])) found.push(`${name}: ${JSON.stringify(match[0])}`);
  }
  for (const secret of secrets) if (text.includes(secret)) found.push(`a secret or address of the run: ${secret}`);
  return found;
}

function headerIssues(headers: IncomingHttpHeaders): readonly string[] {
  const found: string[] = [];
  if (headers['x-powered-by'] !== undefined) found.push('the header x-powered-by exposes the implementation');
  if (headers['server'] !== undefined) found.push('the header server exposes the implementation');
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(String(headers['x-correlation-id']))) found.push('no well-formed X-Correlation-Id');
  return found;
}

function entryIssues(errors: unknown): readonly string[] {
  if (!Array.isArray(errors) || errors.length === 0) return ['`errors` is not a list with at least one entry'];
  return errors.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !isRecord(entry['extensions'])) return [`an entry without extensions: ${JSON.stringify(entry)}`];
    const { extensions, message } = entry;
    const found: string[] = [];
    for (const key of Object.keys(entry)) if (!ENTRY_KEYS.has(key)) found.push(`an entry with ${key}`);
    for (const key of Object.keys(extensions)) if (!EXTENSION_KEYS.has(key)) found.push(`extensions with ${key}`);
    if (typeof message !== 'string' || message === '') found.push('an entry without a message');
    if (!CODE.test(String(extensions['code']))) found.push(`an invalid code: ${String(extensions['code'])}`);
    if (typeof extensions['requestId'] !== 'string' || extensions['requestId'] === '') found.push('an entry without a request id');
    return found;
  });
}

function flatIssues(body: unknown, headers: IncomingHttpHeaders): readonly string[] {
  if (!isRecord(body)) return [`an error without a JSON body: ${JSON.stringify(body)}`];
  const type = String(headers['content-type']);
  const wrongType = ERROR_TYPE.test(type) ? [] : [`an error of type ${type}`];
  if (type.startsWith('application/problem+json')) return [...wrongType, ...wordIssues(body, PROBLEM_KEYS, 'code')];
  const { error } = body;
  return [...wrongType, ...(isRecord(error) ? wordIssues(error, NESTED_KEYS, 'code') : wordIssues(body, FLAT_KEYS, 'error'))];
}

/** Checks that an error body has exactly the keys of its format. `details` are optional. */
function wordIssues(body: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>, code: string): readonly string[] {
  const foreign = Object.keys(body).filter((key) => !keys.has(key));
  const missing = [...keys].filter((key) => key !== 'details' && (body[key] === undefined || body[key] === ''));
  return [
    ...foreign.map((key) => `an error body with ${key}`),
    ...missing.map((key) => `an error body without ${key}`),
    ...(CODE.test(String(body[code])) ? [] : [`an invalid code: ${String(body[code])}`]),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
