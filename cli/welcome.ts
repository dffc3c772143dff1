import type { RunningGateway } from './start-gateway.ts';
import { signDevelopmentToken } from '../gateway/auth/sign-development-token.ts';

/** Tokens for development. */
interface WelcomeTokens {
  /** Token of user 1. */
  readonly user: string;
  /** Token of user 2, with the role ADMIN. */
  readonly admin: string;
}

/** Credentials to print. Those that do not exist are undefined. */
export interface WelcomeCredentials {
  readonly tokens: WelcomeTokens | undefined;
  readonly apiKey: string | undefined;
  readonly login: string | undefined;
}

/** Facts about the served graph that change the welcome text. */
export interface WelcomeFacts {
  /** Whether the graph is the reference graph. */
  readonly isReference: boolean;
  /** Whether the REST facade and its API description are served. */
  readonly isDescribed: boolean;
  /** Example query of the graph. */
  readonly query: string;
  /** Subgraphs that are composed. Empty for a supergraph. */
  readonly subgraphs: readonly WelcomeSubgraph[];
  /** Describes the database of the reference graph. Undefined for other graphs, which Gatefold stores no data for. */
  readonly database?: string | undefined;
}

/** Subgraph to print. */
interface WelcomeSubgraph {
  readonly name: string;
  readonly url: string | undefined;
  readonly mock: 'never' | 'when-absent' | 'always';
}

/** Lifetime of the printed tokens. @unit hours */
const TOKEN_HOURS = 12;

/** Signs tokens that only the dev profile accepts, because production trusts no development key. */
export async function signWelcomeTokens(developmentKey: string): Promise<WelcomeTokens> {
  const claims = { scopes: [], ttlSeconds: TOKEN_HOURS * 3_600 };
  const [user, admin] = await Promise.all([
    signDevelopmentToken(developmentKey, { ...claims, subject: '1', roles: [] }),
    signDevelopmentToken(developmentKey, { ...claims, subject: '2', roles: ['ADMIN'] }),
  ]);
  return { user, admin };
}

/** Query over the subgraphs users, posts, orders, catalogue and shipping. */
const FIVE_SUBGRAPHS = '{ user(id: \\"1\\") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

/** Returns the text that is printed when the gateway is ready. */
export function welcome(
  { url, internalUrl }: Pick<RunningGateway, 'url' | 'internalUrl'>,
  { tokens, apiKey, login }: WelcomeCredentials,
  { isReference, isDescribed, query, subgraphs, database }: WelcomeFacts,
): string {
  return [
    'Gatefold is ready.',
    '',
    `  GraphQL   ${url}/graphql  (GraphiQL in a browser)`,
    ...(isReference ? [`  REST      ${url}/api/books`] : []),
    ...(isDescribed ? [`  OpenAPI   ${url}/docs  (JSON: ${url}/openapi.json)`] : []),
    `  Health    ${url}/health`,
    `  Internal  ${internalUrl}/health`,
    ...subgraphLines(subgraphs),
    ...(database === undefined ? [] : [`  Database  ${database}`]),
    ...(tokens === undefined ? [] : ['', `Two tokens, valid for ${TOKEN_HOURS} hours:`, '', ...tokenLines(tokens)]),
    ...(apiKey === undefined && login === undefined ? [] : ['', 'An API key and a login, both of user 1:', '']),
    ...(apiKey === undefined ? [] : [`  API_KEY=${apiKey}`]),
    ...(login === undefined ? [] : [`  LOGIN=${login}`]),
    ...(isReference && tokens !== undefined
      ? ['', 'Paste these lines into a shell, then run:', '', ...examples(url, apiKey !== undefined, login !== undefined)]
      : []),
    ...(isReference
      ? []
      : [
          '',
          tokens === undefined ? 'A query of this graph:' : 'Paste these lines into a shell, then run a query of this graph:',
          '',
          ownExample(url, query, tokens !== undefined),
        ]),
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}

function subgraphLines(subgraphs: readonly WelcomeSubgraph[]): readonly string[] {
  if (subgraphs.length === 0) return [];
  const width = Math.max(...subgraphs.map(({ name }) => name.length));
  return [
    '',
    'Subgraphs:',
    '',
    ...subgraphs.map(({ name, url = '', mock }) => `  ${name.padEnd(width)}  ${mock === 'always' ? 'mocked' : url}`),
  ];
}

/** Returns a command that sends a query of the graph, as user 1 if there is a token. */
function ownExample(url: string, query: string, hasToken: boolean): string {
  const user = hasToken ? ' -H "Authorization: Bearer $USER_TOKEN"' : '';
  return `  curl -s ${url}/graphql${user} -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`;
}

function tokenLines({ user, admin }: WelcomeTokens): readonly string[] {
  return [`  USER_TOKEN=${user}`, `  ADMIN_TOKEN=${admin}`];
}

function examples(url: string, hasApiKey: boolean, hasLogin: boolean): readonly string[] {
  const asUser = '-H "Authorization: Bearer $USER_TOKEN"';
  const json = "-H 'Content-Type: application/json'";
  return [
    `  curl -s ${url}/graphql ${asUser} ${json} -d '{"query":"${FIVE_SUBGRAPHS}"}'`,
    `  curl -s '${url}/api/books?size=3&sort=-price'`,
    `  curl -si ${url}/orders ${asUser} ${json} -d '{"productId":7,"qty":2}'`,
    ...(hasApiKey ? [`  curl -s ${url}/users/1/orders -H "X-API-Key: $API_KEY"`] : []),
    ...(hasLogin ? [`  curl -s ${url}/users/1/orders -u "$LOGIN"`] : []),
  ];
}
