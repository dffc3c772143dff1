import { createHash } from 'node:crypto';
import type { ShopGraph } from '../../fixtures/shop-graph.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

/** Text that no export may contain. It is in every header, variable and field of the scenarios that may have any text. */
export const CANARY = 'canary-7f3a9e';

/** Position of a scenario in a separate trace. */
export interface ScenarioContext {
  readonly shop: ShopGraph;
  readonly traceparent: string;
}

export interface TelemetryScenario {
  readonly name: string;
  readonly transport: 'graphql' | 'rest' | 'sse' | 'multipart' | 'websocket' | 'other';
  run(context: ScenarioContext): Promise<void>;
  /** Names of spans that its trace must contain. */
  readonly spans: readonly string[];
}

const EXECUTED = ['query', 'GraphQL Operation Execution'];
const HTTP = 'POST /graphql';
const ITEM = 'query Item($id: ID!, $secret: String) { item(id: $id, secret: $secret) { name left stars } }';
const CATALOG = 'query Name($id: ID!) { item(id: $id) { name } }';
const RENAME = 'mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { name } }';
const RENAMED = 'subscription Renamed { renamed { name } }';
const VARIABLES = { id: CANARY, secret: CANARY, name: CANARY };

/** Headers with the canary. Names of clients and the correlation id are reported by design. */
function headersOf(traceparent: string): Record<string, string> {
  return {
    traceparent,
    tracestate: `vendor=${CANARY}`,
    baggage: `tenant=${CANARY}`,
    cookie: `session=${CANARY}`,
    referer: `http://${CANARY}.example/`,
    'user-agent': CANARY,
    'x-secret': CANARY,
    'x-forwarded-for': CANARY,
    'graphql-client-version': `{${CANARY}}`,
    'accept-language': CANARY,
  };
}

type Body = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

async function post({ shop, traceparent }: ScenarioContext, body: Body, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(`${shop.url}/graphql`, {
    method: 'POST',
    headers: { ...headersOf(traceparent), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
}

async function get({ shop, traceparent }: ScenarioContext, path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  await (await fetch(`${shop.url}${path}`, { headers: { ...headersOf(traceparent), ...headers } })).text();
}

/** Sends one operation on a separate socket, and waits for its end. */
async function overSocket({ shop, traceparent }: ScenarioContext, payload: object, isInPayload = false): Promise<void> {
  const { traceparent: _trace, ...headers } = headersOf(traceparent);
  await using socket = await openRawWebSocket(shop.url, { headers });
  socket.send({ type: 'connection_init', payload: { secret: CANARY, ...(isInPayload ? { traceparent } : {}) } });
  await socket.next();
  const extensions = isInPayload ? { secret: CANARY } : { secret: CANARY, traceparent };
  socket.send({ id: CANARY, type: 'subscribe', payload: { ...payload, extensions } });
  for (;;) {
    const { type } = await socket.next();
    if (type === 'complete' || type === 'error') return;
  }
}

const query = (text: string) => ({ query: text, variables: VARIABLES, extensions: { secret: CANARY } });
const target = (text: string, variables?: object) =>
  `/graphql?query=${encodeURIComponent(text)}&x=${CANARY}${variables === undefined ? '' : `&variables=${encodeURIComponent(JSON.stringify(variables))}`}`;

const scenario = (
  name: string,
  transport: TelemetryScenario['transport'],
  spans: readonly string[],
  run: TelemetryScenario['run'],
): TelemetryScenario => ({ name, transport, spans, run });

const EVENTS = { accept: 'text/event-stream' };
const PARTS = { accept: 'multipart/mixed;subscriptionSpec=1.0, application/json' };
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hash(text) }, secret: CANARY });

/** Operations that every transport for single responses is given, with the spans that their traces have in addition. */
const CASES: readonly (readonly [name: string, body: Body & { readonly query: string }, spans: readonly string[]])[] = [
  ['a query of three subgraphs', query(ITEM), EXECUTED],
  ['a query of one subgraph', query(CATALOG), EXECUTED],
  ['a syntax error', query(`{ item(id: "${CANARY}" `), ['GraphQL Operation', 'GraphQL Document Parsing']],
  ['a validation error', query(`query Unknown { nothing(id: "${CANARY}") }`), ['GraphQL Operation', 'GraphQL Document Validation']],
  ['an unknown operation name', { ...query(CATALOG), operationName: CANARY }, ['GraphQL Operation']],
  ['an invalid variable', { query: CATALOG, variables: { id: { secret: CANARY } } }, ['query']],
  ['a failed subgraph', { query: 'query Broken { broken }', variables: { secret: CANARY } }, EXECUTED],
  ['literals', { query: `query Literal { item(id: "${CANARY}") { name } }` }, EXECUTED],
];

/** All scenarios, at least 40. Each has a separate trace. */
export const SCENARIOS: readonly TelemetryScenario[] = [
  ...CASES.map(([name, body, spans]) => scenario(`POST: ${name}`, 'graphql', [HTTP, ...spans], (context) => post(context, body))),
  ...CASES.map(([name, body, spans]) => scenario(`WebSocket: ${name}`, 'websocket', spans, (context) => overSocket(context, body))),
  ...CASES.slice(0, 4).map(([name, body, spans]) =>
    scenario(`events only: ${name}`, 'sse', [HTTP, ...spans], (context) => post(context, body, EVENTS)),
  ),
  scenario('POST: a mutation', 'graphql', [HTTP, 'mutation'], (context) => post(context, query(RENAME))),
  scenario('POST: an idempotency key without credentials', 'graphql', [HTTP, 'GraphQL Operation'], (context) =>
    post(context, query(RENAME), { 'idempotency-key': CANARY }),
  ),
  scenario('POST: invalid credentials', 'graphql', [HTTP], (context) =>
    post(context, query(CATALOG), { authorization: `Bearer ${CANARY}` }),
  ),
  scenario('POST: an invalid API key', 'graphql', [HTTP], (context) => post(context, query(CATALOG), { 'x-api-key': CANARY })),
  scenario('POST: a batch', 'graphql', [HTTP, 'query', 'mutation'], (context) => post(context, [query(CATALOG), query(RENAME)])),
  scenario('POST: an unknown persisted operation', 'graphql', [HTTP, 'GraphQL Operation'], (context) =>
    post(context, { extensions: persisted('{ __typename }'), variables: VARIABLES }),
  ),
  scenario('POST: a persisted operation with its text', 'graphql', [HTTP, 'query'], (context) =>
    post(context, { query: CATALOG, extensions: persisted(CATALOG), variables: VARIABLES }),
  ),
  scenario('POST: a persisted operation', 'graphql', [HTTP, 'query'], (context) =>
    post(context, { extensions: persisted(CATALOG), variables: VARIABLES }),
  ),
  scenario('POST: an invalid body', 'graphql', [HTTP], (context) => post(context, { secret: CANARY })),
  scenario('POST: a subscription without a stream', 'graphql', [HTTP, 'subscription'], (context) => post(context, { query: RENAMED })),
  scenario('GET: a query', 'graphql', ['GET /graphql', ...EXECUTED], (context) => get(context, target(CATALOG, VARIABLES))),
  scenario('GET: a response that is stored', 'graphql', ['GET /graphql', ...EXECUTED], (context) =>
    get(context, target('query Page { page { text } }')),
  ),
  scenario('GET: a stored response', 'graphql', ['GET /graphql', 'query'], (context) =>
    get(context, target('query Page { page { text } }')),
  ),
  scenario('GET: a mutation', 'graphql', ['GET /graphql', 'mutation'], (context) => get(context, target(RENAME, VARIABLES))),
  scenario(
    'REST: a resource of three subgraphs',
    'rest',
    ['GET /v1/items/{id}', 'REST Request Binding', ...EXECUTED, 'REST Response Shaping'],
    (context) => get(context, `/v1/items/${CANARY}`),
  ),
  scenario('REST: selected fields', 'rest', ['GET /v1/items/{id}', 'query'], (context) => get(context, `/v1/items/${CANARY}?fields=name`)),
  scenario('REST: a missing resource', 'rest', ['GET /v1/items/{id}', 'query'], (context) => get(context, '/v1/items/0')),
  scenario('REST: an unknown parameter', 'rest', ['GET /v1/items/{id}'], (context) => get(context, `/v1/items/1?${CANARY}=${CANARY}`)),
  scenario('REST: an unknown path', 'other', ['GET'], (context) => get(context, `/${CANARY}/${CANARY}`)),
  scenario('server-sent events: a subscription', 'sse', [HTTP, 'subscription'], (context) => post(context, { query: RENAMED }, EVENTS)),
  scenario('server-sent events: GET', 'sse', ['GET /graphql', 'subscription'], (context) => get(context, target(RENAMED), EVENTS)),
  scenario('multipart: a subscription', 'multipart', [HTTP, 'subscription'], (context) => post(context, { query: RENAMED }, PARTS)),
  scenario('multipart: an invalid subscription', 'multipart', [HTTP, 'GraphQL Operation'], (context) =>
    post(context, { query: `subscription { nothing(id: "${CANARY}") }` }, { accept: 'multipart/mixed;subscriptionSpec=1.0' }),
  ),
  scenario('WebSocket: a subscription', 'websocket', ['subscription'], (context) => overSocket(context, { query: RENAMED })),
  scenario('WebSocket: a mutation', 'websocket', ['mutation'], (context) => overSocket(context, query(RENAME))),
  scenario('WebSocket: the trace of connection_init', 'websocket', EXECUTED, (context) => overSocket(context, query(ITEM), true)),
];
