import { gzipSync } from 'node:zlib';
import type { Exchange, Misbehavior } from './subgraph-server.ts';

/** Text in every value that a client must never read. */
export const SECRET = 'db-7.internal';

const JSON_TYPE = { 'content-type': 'application/json' };

const send =
  (body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = JSON_TYPE): Misbehavior =>
  ({ response }) =>
    response.writeHead(status, headers).end(body);

const html = (status: number): Misbehavior =>
  send(`<h1>${status}</h1><address>nginx at ${SECRET}</address>`, status, { 'content-type': 'text/html' });

/** Sends the correct response with its text changed. */
const changed =
  (change: (text: string) => string | Buffer): Misbehavior =>
  async ({ response, respond }) =>
    response.writeHead(200, JSON_TYPE).end(change(await respond()));

/** Sends the correct response with other entities. */
const entities = (change: (all: readonly Record<string, unknown>[]) => unknown): Misbehavior =>
  changed((text) => {
    const { data } = JSON.parse(text) as { data: { _entities: readonly Record<string, unknown>[] } };
    return JSON.stringify({ data: { _entities: change(data._entities) } });
  });

/** Sends the correct response with additional errors. */
const withErrors = (errors: unknown): Misbehavior => changed((text) => JSON.stringify({ ...(JSON.parse(text) as object), errors }));

/** Sends raw bytes instead of an HTTP response. */
const raw =
  (bytes: string): Misbehavior =>
  ({ socket }) =>
    socket.end(bytes);

const NESTING = 10_000;
const deep = '['.repeat(NESTING) + ']'.repeat(NESTING);

const drip = async ({ response, respond }: Exchange): Promise<void> => {
  const text = await respond();
  response.writeHead(200, JSON_TYPE);
  let at = 0;
  const timer = setInterval(() => response.write(text.charAt(at++ % text.length)), 5);
  response.on('close', () => clearInterval(timer));
};

const breakOff =
  (how: 'reset' | 'end'): Misbehavior =>
  async ({ response, socket, respond }) => {
    const text = await respond();
    response.writeHead(200, { ...JSON_TYPE, 'content-length': String(text.length) });
    response.write(text.slice(0, 20), () => (how === 'reset' ? socket.resetAndDestroy() : socket.end()));
  };

const STACK = {
  code: 'INTERNAL_SERVER_ERROR',
  stacktrace: [`Error: at ${SECRET}`, '    at Client.query (/app/node_modules/pg/lib/client.js:526:17)'],
  serviceName: SECRET,
};

/** All failure modes by name. `expected-responses.json` holds the client's result of each under the same name. */
export const FAILURE_MODES: Readonly<Record<string, Misbehavior>> = {
  // No response, or a response that is too late.
  hangs: () => {},
  'hangs after the head': ({ response }) => response.writeHead(200, JSON_TYPE).flushHeaders(),
  'hangs within the body': ({ response }) => response.writeHead(200, JSON_TYPE).write('{"data":'),
  drips: drip,
  'sends early hints forever': ({ response }) => {
    const timer = setInterval(() => response.writeEarlyHints({ link: '</a.css>; rel=preload' }), 5);
    response.on('close', () => clearInterval(timer));
  },

  // Connections that break.
  'resets the connection': ({ socket }) => socket.resetAndDestroy(),
  'closes the connection': ({ socket }) => socket.destroy(),
  'resets within the body': breakOff('reset'),
  'half-closes within the body': breakOff('end'),

  // Bytes that are not HTTP, or invalid HTTP.
  'speaks another protocol': raw(`SSH-2.0-${SECRET}\r\n`),
  'has two lengths': raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
  'has a length and chunks': raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
  'has chunks with an invalid size': raw(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n',
  ),
  'has 100 KB of headers': raw(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\ncontent-length: 2\r\n\r\n{}`),
  'switches protocols': raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),

  // Statuses and media types.
  '200 in HTML': html(200),
  '400 in HTML': html(400),
  '401 in HTML': html(401),
  '403 in HTML': html(403),
  '404 in HTML': html(404),
  '429 in HTML': html(429),
  '500 in HTML': html(500),
  '502 in HTML': html(502),
  '503 in HTML': html(503),
  '504 in HTML': html(504),
  '401 in other JSON': send(`{"message":"who are you at ${SECRET}"}`, 401),
  '500 in other JSON': send(`{"message":"boom at ${SECRET}"}`, 500),
  '503 with errors in GraphQL': send(`{"errors":[{"message":"${SECRET}","extensions":{"code":"TOO_BUSY"}}]}`, 503),
  '429 with errors in GraphQL': send(`{"errors":[{"message":"${SECRET}","extensions":{"code":"RATE_LIMITED"}}]}`, 429),
  'no content': ({ response }) => response.writeHead(204).end(),
  'redirects with 302': send('', 302, { location: 'http://169.254.169.254/latest/meta-data' }),
  'redirects with 307': send('', 307, { location: 'http://127.0.0.1:1/' }),
  'another media type': send('{"data":{}}', 200, { 'content-type': 'text/plain' }),
  'no media type': send('{"data":{}}', 200, {}),
  'gzip that was not requested': send(gzipSync('{"data":{"_entities":[]}}'), 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'a gzip bomb': send(gzipSync('0'.repeat(20_000_000)), 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'a body that is too large, announced': ({ response }) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '9000000' }).write('{"data":'),
  'a body that is too large, in chunks': ({ response }) => {
    response.writeHead(200, JSON_TYPE);
    for (let piece = 0; piece < 4; piece += 1) response.write(' '.repeat(65_536));
    response.end();
  },

  // Bodies that are not a response.
  'an empty body': send(''),
  'half a document': changed((text) => text.slice(0, -5)),
  'something after the document': changed((text) => `${text}${text}`),
  'bytes that are not UTF-8': changed((text) => Buffer.from(text.replace('{"count"', '{"\u00FF":1,"count"'), 'latin1')),
  null: send('null'),
  'a list': send('[]'),
  'a text': send(`"${SECRET}"`),
  'a number': send('1e999'),
  'neither data nor errors': send('{}'),
  'null data without an error': send('{"data":null}'),
  'data that is a list': send('{"data":[]}'),
  'data that is a text': send(`{"data":"${SECRET}"}`),
  'errors that are a text': withErrors(SECRET),
  'errors that are an object': withErrors({ message: SECRET }),
  'an error that is null': withErrors([null]),
  'an error without a message': withErrors([{ path: ['_entities', 0] }]),

  // Data of another shape.
  'too few entities': entities((all) => all.slice(1)),
  'too many entities': entities((all) => [...all, ...all]),
  'no entities': send('{"data":{}}'),
  'entities that are null': entities(() => null),
  'entities that are an object': entities((all) => Object.fromEntries(all.entries())),
  'entities that are numbers': entities((all) => all.map((_entity, index) => index)),
  'entities that are lists': entities((all) => all.map((entity) => [entity])),
  'one entity that is null': entities((all) => all.map((entity, index) => (index === 1 ? null : entity))),
  'a count that is a text': entities((all) => all.map((entity) => ({ ...entity, count: SECRET }))),
  'a count that is an object': entities((all) => all.map((entity) => ({ ...entity, count: { value: SECRET } }))),
  'a count that is a fraction': entities((all) => all.map((entity) => ({ ...entity, count: 0.5 }))),
  'a count of 10,000 levels': changed((text) => text.replace(/"count":\d+/, `"count":${deep}`)),
  'data of 10,000 levels next to the entities': changed((text) => text.replace('{"data":{', `{"data":{"more":${deep},`)),
  'a response of 10,000 levels': send(deep),
  'keys of a prototype': changed((text) =>
    text.replaceAll('"count"', '"__proto__":{"polluted":true},"constructor":{"prototype":{}},"count"'),
  ),

  // Errors in addition to data, or instead of it.
  'a database error': withErrors([
    { message: `relation "stock" does not exist at ${SECRET}`, path: ['_entities', 0, 'count'], extensions: STACK },
  ]),
  'an error without a path': withErrors([{ message: `connect ECONNREFUSED ${SECRET}` }]),
  'an error that would set the status': withErrors([
    {
      message: 'No.',
      path: ['_entities', 2, 'count'],
      extensions: { code: 'FORBIDDEN', http: { status: 99999, headers: { 'set-cookie': SECRET } } },
    },
  ]),
  'an error for one entity': async ({ response, respond }) => {
    const { data } = JSON.parse(await respond()) as { data: { _entities: unknown[] } };
    data._entities[1] = null;
    const errors = [{ message: 'Counted right now.', path: ['_entities', 1], extensions: { code: 'CONFLICT' } }];
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ data, errors }));
  },
  '500 errors': withErrors(
    Array.from({ length: 500 }, (_, index) => ({
      message: `No. ${index}`,
      path: ['_entities', index % 3, 'count'],
      extensions: { code: 'CONFLICT' },
    })),
  ),
  'an error about the document': send(
    `{"errors":[{"message":"Cannot query field at ${SECRET}","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`,
    400,
  ),
  '401 with errors in GraphQL': send('{"errors":[{"message":"Who are you?","extensions":{"code":"UNAUTHENTICATED"}}]}', 401),
};
