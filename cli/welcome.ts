import type { RunningGateway } from './start-gateway.ts';
import { signDevelopmentToken } from './sign-development-token.ts';

/** Tokens to try things out with. */
interface WelcomeTokens {
  /** User 1. */
  readonly user: string;
  /** User 2, with the role ADMIN. */
  readonly admin: string;
}

/** What to try things out with; what does not exist is undefined. */
export interface WelcomeCredentials {
  readonly tokens: WelcomeTokens | undefined;
  readonly apiKey: string | undefined;
  readonly login: string | undefined;
}

/** What is served, as far as it makes a difference to whoever reads the text. */
export interface WelcomeFacts {
  /** Whether the graph is the reference graph. */
  readonly isReference: boolean;
  /** Whether REST is served, and described. */
  readonly isDescribed: boolean;
}

/** @unit hours */
const TOKEN_HOURS = 12;

/** Good for the dev profile alone: production trusts no development key. */
export async function signWelcomeTokens(developmentKey: string): Promise<WelcomeTokens> {
  const claims = { scopes: [], ttlSeconds: TOKEN_HOURS * 3_600 };
  const [user, admin] = await Promise.all([
    signDevelopmentToken(developmentKey, { ...claims, subject: '1', roles: [] }),
    signDevelopmentToken(developmentKey, { ...claims, subject: '2', roles: ['ADMIN'] }),
  ]);
  return { user, admin };
}

/** One query over users, posts, orders, catalogue and shipping. */
const FIVE_SUBGRAPHS = '{ user(id: \\"1\\") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

/** What is printed once everything answers. */
export function welcome(
  { url, internalUrl }: Pick<RunningGateway, 'url' | 'internalUrl'>,
  { tokens, apiKey, login }: WelcomeCredentials,
  { isReference, isDescribed }: WelcomeFacts,
): string {
  return [
    'Gatefold is ready.',
    '',
    `  GraphQL   ${url}/graphql  (GraphiQL in a browser)`,
    ...(isReference ? [`  REST      ${url}/api/books`] : []),
    ...(isDescribed ? [`  OpenAPI   ${url}/docs  (as text: ${url}/openapi.json)`] : []),
    `  Health    ${url}/health`,
    `  Internal  ${internalUrl}/health`,
    ...(tokens === undefined ? [] : ['', `Two tokens, good for ${TOKEN_HOURS} hours:`, '', ...tokenLines(tokens)]),
    ...(apiKey === undefined && login === undefined ? [] : ['', 'An API key and a login, both of user 1:', '']),
    ...(apiKey === undefined ? [] : [`  API_KEY=${apiKey}`]),
    ...(login === undefined ? [] : [`  LOGIN=${login}`]),
    ...(isReference && tokens !== undefined
      ? ['', 'Paste them, then:', '', ...examples(url, apiKey !== undefined, login !== undefined)]
      : []),
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
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
