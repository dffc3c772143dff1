import type { MistakenGraph } from './mistaken-graph.ts';

/** A mistake that a request or the log reports. */
export interface RequestMistake {
  /** Number in the list of mistakes that a first user made. */
  readonly number: number;
  readonly mistake: string;
  readonly gateway: 'dev' | 'production';
  readonly request: RequestInit & { readonly path?: string; readonly claims?: Parameters<MistakenGraph['sign']>[0] };
  /** Accepted statuses. */
  readonly status: readonly number[];
  /** Texts of the response. */
  readonly says: readonly RegExp[];
  /** Texts of one line of the log. */
  readonly logs?: readonly RegExp[];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (query: string, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify({ query }),
});
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const TOKEN_REJECTED = /The bearer token is invalid\./;
const SECOND = 1_000;

/** Mistakes that end no command: the gateway runs, and a response or the log reports them. */
export const REQUEST_MISTAKES: readonly RequestMistake[] = [
  {
    number: 7,
    mistake: 'a subgraph that is down',
    gateway: 'dev',
    request: post('{ reviews { id } }'),
    status: [200, 503],
    says: [/cannot be reached/, /SUBGRAPH_UNAVAILABLE/],
    logs: [/"subgraph":"reviews"/, /ECONNREFUSED/],
  },
  {
    number: 9,
    mistake: 'keys of an issuer that is down',
    gateway: 'dev',
    request: { ...post('{ films { id } }'), claims: { iss: 'https://down.example' } },
    status: [503],
    says: [/Credentials cannot be checked at the moment/],
    logs: [
      /"issuer":"https:\/\/down\.example"/,
      /"setting":"auth\.providers\.jwt\.down\.jwksUrl"/,
      /127\.0\.0\.1:1\/keys cannot be reached: ECONNREFUSED/,
      /There are no earlier keys/,
    ],
  },
  {
    number: 9,
    mistake: 'keys of an issuer at a wrong URL',
    gateway: 'dev',
    request: { ...post('{ films { id } }'), claims: { iss: 'https://gone.example' } },
    status: [503],
    says: [/Credentials cannot be checked at the moment/],
    logs: [/"issuer":"https:\/\/gone\.example"/, /\/gone responded with status 404/, /There are no earlier keys/],
  },
  {
    number: 11,
    mistake: 'an issuer without the slash at its end',
    gateway: 'dev',
    request: { ...post('{ films { id } }', { 'x-correlation-id': 'slash' }), claims: { iss: 'https://id.example' } },
    status: [401],
    says: [TOKEN_REJECTED],
    logs: [
      /"requestId":"slash"/,
      /"issuers":\[.*"https:\/\/id\.example\/"/,
      /"actual":\{"issuer":"https:\/\/id\.example",/,
      /differs from https:\/\/id\.example\/ only by a slash at its end/,
    ],
  },
  {
    number: 11,
    mistake: 'a token for another audience',
    gateway: 'dev',
    request: { ...post('{ films { id } }', { 'x-correlation-id': 'audience' }), claims: { aud: 'flims' } },
    status: [401],
    says: [TOKEN_REJECTED],
    logs: [/"requestId":"audience"/, /"audiences":\["films"\]/, /"audience":"flims"/, /aud/],
  },
  {
    number: 11,
    mistake: 'an expired token',
    gateway: 'dev',
    request: { ...post('{ films { id } }', { 'x-correlation-id': 'expired' }), claims: { exp: Math.floor(Date.UTC(2020, 0, 1) / SECOND) } },
    status: [401],
    says: [TOKEN_REJECTED],
    logs: [/"requestId":"expired"/, /"expiresAt":"2020-01-01T00:00:00\.000Z"/, /exp/],
  },
  {
    number: 24,
    mistake: 'introspection in production',
    gateway: 'production',
    request: post('{ __schema { queryType { name } } }'),
    status: [200, 400],
    says: [/Introspection is disabled/, /INTROSPECTION_DISABLED/],
  },
  {
    number: 24,
    mistake: 'a browser at / in production',
    gateway: 'production',
    request: { path: '/', headers: BROWSER },
    status: [404],
    says: [/GraphiQL is off, which is the default of the production profile \(setting graphql\.graphiql\)/, /\/graphql/],
  },
  {
    number: 24,
    mistake: 'a browser at /graphql in production',
    gateway: 'production',
    request: { headers: { accept: 'text/html' } },
    status: [406],
    says: [/accept application\/graphql-response\+json/, /GraphiQL is off, .*graphql\.graphiql/],
  },
  {
    number: 25,
    mistake: 'a page of another origin',
    gateway: 'production',
    request: { method: 'OPTIONS', headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' } },
    status: [204],
    says: [],
    logs: [/"setting":"server\.cors\.origins"/, /A web page of another origin cannot read the response/],
  },
  {
    number: 26,
    mistake: 'an operation above the cost limit',
    gateway: 'production',
    request: post('{ films { similar { similar { similar { similar { similar { title } } } } } } }'),
    status: [200],
    says: [/"data":\{"films"/],
    logs: [/"limit":5000/, /The operation exceeds limits\.maxCost/],
  },
  {
    number: 28,
    mistake: 'a subscription of a subgraph without WebSocket',
    gateway: 'dev',
    request: post('subscription { filmAdded { id } }', { accept: 'text/event-stream' }),
    status: [200, 502, 503],
    says: [/Subgraph \\"films\\": A service behind this gateway/],
    logs: [/"subgraph":"films"/, /"reason":"[^"]+"/, /A stream of a subgraph could not be opened/, /subgraphs\.subscriptions/],
  },
  {
    number: 29,
    mistake: 'a subscription that is posted as JSON',
    gateway: 'dev',
    request: post('subscription { filmAdded { id } }'),
    status: [200, 400],
    says: [/Accept: text\/event-stream/, /WebSocket/],
  },
  {
    number: 33,
    mistake: 'a form that posts an operation',
    gateway: 'production',
    request: { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ films { id } }"}' },
    status: [400, 403, 415],
    says: [/content-type|Content-Type|application\/json/],
  },
  {
    number: 33,
    mistake: 'a batch of operations',
    gateway: 'production',
    request: { method: 'POST', headers: JSON_TYPE, body: '[{"query":"{ films { id } }"}]' },
    status: [400],
    says: [/send each operation in a separate request/, /BATCHING_DISABLED/],
  },
  {
    number: 33,
    mistake: 'a syntax error',
    gateway: 'production',
    request: post('{ films { id '),
    status: [200, 400],
    says: [/Syntax Error/, /"line":1/],
  },
  {
    number: 33,
    mistake: 'a body that is not JSON',
    gateway: 'production',
    request: { method: 'POST', headers: JSON_TYPE, body: '{query: 1}' },
    status: [400],
    says: [/line 1, column 2/],
  },
];
