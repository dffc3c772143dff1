import { deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../../support/random/random.ts';

/** Bytes that a client sends on one connection. */
export interface ByteCase {
  /** Bytes in the order in which they are sent, in Latin-1. */
  readonly packets: readonly string[];
  /** Whether the client closes its side after the last packet. */
  readonly endsHalf: boolean;
}

const QUERIES = [
  '{ item(id: 1) { name stars } }',
  '{ page { text } }',
  '{ __typename }',
  '{ item(id: "é") { name } }',
  '{ broken }',
  '{ nothing }',
];

const TARGETS = [
  '/graphql?query=%7B__typename%7D',
  '/graphql?query=%7Bitem(id:1)%7Bname%7D%7D',
  '/graphql?query=%7Bbroken%7D',
  '/items/1?fields=name',
  '/items/3',
  '/graphql?query=%7Bpage%7Btext%7D%7D',
  '/graphql',
  '/graphql/abc',
  '/items/1',
  '/items/2?fields=id,name',
  '/items',
  '/health',
  '/openapi.json',
  '/',
  '/nothing',
  '//graphql',
  '/graphql?access_token=1',
  '/graphql?query=%7',
  '/graphql#x',
];

/** Targets that are no path. */
const OTHER_TARGETS = [
  'http://a/graphql?query={__typename}',
  'http://b/graphql',
  'a:80',
  '*',
  'graphql',
  '/graph ql',
  '/graphql\u0000',
  '/\u00e9',
];

const PLAIN_LINES = [
  'User-Agent: proof/1.0',
  'Accept: */*',
  'Accept: application/json',
  'Accept: application/graphql-response+json, application/json;q=0.9',
  'Accept-Encoding: gzip, br',
  'Origin: http://localhost:1',
  'Cookie: a=b; c=d',
  'X-Correlation-Id: abc-123',
  'Authorization: Bearer nothing',
  'If-None-Match: "x"',
  'X-Forwarded-For: 10.0.0.1',
  'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'Connection: keep-alive',
  'Connection: close',
  'X-Empty:',
  'X-Spaces:   a  b   ',
];

/** Lines that another reader may understand differently, or that hand a request over. */
const HOSTILE_LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: chunked, chunked',
  'transfer-encoding:\tchunked',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 05',
  'Content-Length: 5 ',
  'Content-Length: 0x5',
  'Content-Length: 5;',
  'Content-Length:',
  'Content-Length: 18446744073709551616',
  'Content-Length: 4294967301',
  'Content-Length : 5',
  'Content_Length: 5',
  'Expect: 100-continue',
  'Expect: nothing',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Connection: Upgrade',
  'Connection: close, keep-alive',
  'Connection: Keep-Alive',
  'Connection: te',
  'Connection:',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=1',
  'TE: trailers',
  'Trailer: x',
  'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Host: b',
  'Host: a',
  'Host:',
  'Accept: text/html',
  'Accept: text/event-stream',
  'Accept: multipart/mixed',
  'Accept: application/json',
  'Content-Encoding: gzip',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=latin1',
  'Access-Control-Request-Method: POST',
  '__proto__: x',
  'constructor: x',
  'X-A: b\r\n c',
  'X-A: b\r\n\tc',
  ' X-A: b',
  'X A: b',
  'X-A : b',
  ': b',
  'nothing',
  'X-A: b\u0000c',
  'X-A: \u00e9\u00ff',
  'X-\u00e9: b',
  'X-A: b\rc',
  'X-A: b\nX-B: c',
  'X-A: \u000bb',
  'X-A: \u007f',
  `X-A: ${'a'.repeat(9_000)}`,
  `X-A: ${'a'.repeat(30_000)}`,
];

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'FETCH', 'PRI', 'GET ', ' GET', ''];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/1.2', 'HTTP/11', 'HTTP/1', '', 'ICE/1.0'];
const SPACES = [' ', '  ', '\t', ''];
const LINE_ENDS = ['\r\n', '\n', '\r', '\r\r\n', '\n\r'];

/** A request before it is printed. */
interface Draft {
  start: string;
  readonly lines: string[];
  body: string;
}

function printDraft({ start, lines, body }: Draft, lineEnd = '\r\n'): string {
  return `${[start, ...lines].join(lineEnd)}${lineEnd}${lineEnd}${body}`;
}

function latin1OfUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Generates a request that a usual client could send. */
function draftOrdinary(random: Random): Draft {
  const lines = ['Host: a'];
  for (let count = random.below(4); count > 0; count -= 1) addUnlessPresent(lines, random.pick(PLAIN_LINES));
  if (random.chance(0.4)) return { start: `${random.pick(['GET', 'GET', 'HEAD'])} ${random.pick(TARGETS)} HTTP/1.1`, lines, body: '' };
  const body = latin1OfUtf8(
    random.chance(0.9)
      ? JSON.stringify({ query: random.pick(QUERIES) })
      : random.pick(['{', '[]', '', '\u0000', '{"query":', ' '.repeat(MAX_BODY_BYTES + 1), ' '.repeat(70_000)]),
  );
  lines.push(random.chance(0.95) ? 'Content-Type: application/json' : 'Content-Type: text/plain', `Content-Length: ${body.length}`);
  return { start: `POST ${random.chance(0.8) ? '/graphql' : random.pick(TARGETS)} HTTP/1.1`, lines, body };
}

function addUnlessPresent(lines: string[], line: string): void {
  const name = line.slice(0, line.indexOf(':'));
  if (!lines.some((other) => other.startsWith(`${name}:`))) lines.push(line);
}

type Mutation = (draft: Draft, random: Random) => void;

const MUTATIONS: readonly Mutation[] = [
  ({ lines }, random) => void lines.splice(random.below(lines.length + 1), 0, random.pick(HOSTILE_LINES)),
  ({ lines }, random) => void lines.splice(random.below(lines.length + 1), 0, random.pick(HOSTILE_LINES)),
  ({ lines }, random) => void lines.splice(random.below(lines.length + 1), 0, lines[random.below(lines.length)] ?? 'Host: a'),
  ({ lines }, random) => void lines.splice(random.below(lines.length), 1),
  ({ lines }, random) => void lines.sort(() => random.next() - 0.5),
  ({ lines }, random) => changeLine(lines, random, (line) => (random.chance(0.5) ? line.toLowerCase() : line.toUpperCase())),
  ({ lines }, random) => changeLine(lines, random, (line) => line.replace(':', random.pick([' :', ':', ':  ', ':\t', '\t:', '::', '']))),
  ({ lines }, random) => changeLine(lines, random, (line) => `${line}${random.pick([' ', '\t', ' \t ', '\r', '\u0000', ',', ';'])}`),
  ({ lines }, random) => changeLine(lines, random, (line) => insertByte(line, random)),
  (draft, random) => {
    draft.start = insertByte(draft.start, random);
  },
  (draft, random) => {
    draft.start = [random.pick(METHODS), random.pick([...TARGETS, ...OTHER_TARGETS]), random.pick(VERSIONS)].join(random.pick(SPACES));
  },
  (draft, random) => {
    draft.start = draft.start.replace(/ \S+ /, () => ` ${random.pick([...TARGETS, ...OTHER_TARGETS])} `);
  },
  (draft, random) => {
    draft.start = `${random.pick(['\r\n', '\n', '\r\n\r\n', ' ', '\u0000'])}${draft.start}`;
  },
  (draft, random) => {
    draft.body += random.pick(['x', '\r\n', '\n', '\r\n\r\n', 'GET', '\u0000']);
  },
  (draft) => {
    draft.body = draft.body.slice(0, -1);
  },
  (draft, random) => toChunks(draft, random),
  (draft, random) => toChunks(draft, random),
  (draft, random) => encodeBody(draft, random),
  (draft, random) => {
    encodeBody(draft, random);
    toChunks(draft, random);
  },
];

/** Maximum size of a body in the proof, so that generated bodies exceed it. @unit bytes */
export const MAX_BODY_BYTES = 4_096;

/** Compresses the body, some of them beyond the maximum size, incomplete, invalid or followed by other bytes. */
function encodeBody(draft: Draft, random: Random): void {
  const size = random.pick([0, 0, 0, MAX_BODY_BYTES, 200_000]);
  const text = draft.body.padEnd(size);
  const coding = random.pick(['gzip', 'gzip', 'deflate']);
  const bytes = coding === 'gzip' ? gzipSync(text) : deflateSync(text);
  const packed = bytes.toString('latin1');
  draft.body = random.pick([packed, packed, packed.slice(0, -3), `${packed}tail`, `x${packed}`, text]);
  draft.lines.push(`Content-Encoding: ${coding}`);
  const length = draft.lines.findIndex((line) => line.startsWith('Content-Length'));
  if (length !== -1) draft.lines[length] = `Content-Length: ${draft.body.length}`;
}

function changeLine(lines: string[], random: Random, change: (line: string) => string): void {
  const index = random.below(lines.length);
  const line = lines[index];
  if (line !== undefined) lines[index] = change(line);
}

function insertByte(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) +
    String.fromCharCode(random.chance(0.5) ? random.below(256) : random.pick([0, 9, 10, 13, 32, 58, 127, 255])) +
    text.slice(at)
  );
}

/** Sends the body in chunks, some of them with extensions, invalid sizes or a length in addition. */
function toChunks(draft: Draft, random: Random): void {
  if (random.chance(0.2)) draft.body = draft.body.padEnd(random.pick([MAX_BODY_BYTES + 1, 20_000, 70_000]));
  const size = random.pick([
    draft.body.length.toString(16),
    `${draft.body.length.toString(16)};a=b`,
    '-1',
    '0x1',
    'fffffffffffffffff',
    '1;\u0000',
  ]);
  const middle = draft.body.length >> 1;
  const [first, second] = [draft.body.slice(0, middle), draft.body.slice(middle)];
  const chunks =
    first !== '' && random.chance(0.6)
      ? `${first.length.toString(16)}\r\n${first}\r\n${second.length.toString(16)}\r\n${second}`
      : `${size}\r\n${draft.body}`;
  draft.body = `${chunks}\r\n0\r\n${random.pick(['', 'X-T: 1\r\n', 'bad\r\n'])}\r\n`;
  draft.lines.push('Transfer-Encoding: chunked');
  if (random.chance(0.8)) {
    const length = draft.lines.findIndex((line) => line.startsWith('Content-Length'));
    if (length !== -1) draft.lines.splice(length, 1);
  }
}

/** Generates the bytes of a connection: one to three requests, some of them mutated, in one or more packets. */
export function generateCase(random: Random): ByteCase {
  // A single request in one packet is the case that the gateway reads itself if the request is plain.
  if (random.chance(0.4)) return { packets: [generateText(random)], endsHalf: false };
  const texts: string[] = [];
  for (let count = random.chance(0.7) ? 1 : 1 + random.below(3); count > 0; count -= 1) texts.push(generateText(random));
  // A connection that is still usable afterwards serves this request, and is then closed.
  if (random.chance(0.6)) texts.push(FOLLOWER);
  const packets = random.chance(0.5) ? texts : [texts.join('')];
  return { packets: packets.flatMap((text) => splitAtRandom(text, random)), endsHalf: random.chance(0.1) };
}

function generateText(random: Random): string {
  const draft = draftOrdinary(random);
  for (let count = random.pick([0, 0, 1, 1, 2, 3]); count > 0; count -= 1) random.pick(MUTATIONS)(draft, random);
  const text = printDraft(draft, random.chance(0.95) ? '\r\n' : random.pick(LINE_ENDS));
  return random.chance(0.03) ? text.slice(0, random.below(text.length)) : text;
}

/** Request that ends a connection. */
export const FOLLOWER =
  'GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: a\r\nX-Correlation-Id: follower\r\nConnection: close\r\n\r\n';

function splitAtRandom(text: string, random: Random): readonly string[] {
  if (random.chance(0.6) || text.length < 2) return [text];
  const cuts = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(text.length - 1)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length)).filter((packet) => packet !== '');
}

const BODY = JSON.stringify({ query: '{ item(id: 1) { name } }' });

/** Requests whose bytes are cut at every position. */
const CUT_REQUESTS = [
  `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'GET /items/1 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n',
];

/** Lists requests in two packets, split at every byte, and requests that end at every byte. */
export function listCuts(): readonly ByteCase[] {
  const cases: ByteCase[] = [];
  for (const text of CUT_REQUESTS) {
    for (let at = 1; at < text.length; at += 1) {
      cases.push({ packets: [text.slice(0, at), text.slice(at) + FOLLOWER], endsHalf: false });
      cases.push({ packets: [text.slice(0, at)], endsHalf: true });
      cases.push({ packets: [text.slice(0, at), FOLLOWER], endsHalf: false });
    }
    cases.push({ packets: text.split(''), endsHalf: false });
  }
  return cases;
}
