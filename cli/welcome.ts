import type { RunningGateway } from './start-gateway.ts';
import { signDevelopmentToken } from './sign-development-token.ts';

/** Tokens to try things out with. */
export interface WelcomeTokens {
  /** User 1. */
  readonly user: string;
  /** User 2, with the role ADMIN. */
  readonly admin: string;
}

/** @unit hours */
const TOKEN_HOURS = 12;

/** Undefined without a development key: the production profile trusts none. */
export async function signWelcomeTokens(developmentKey: string | undefined): Promise<WelcomeTokens | undefined> {
  if (developmentKey === undefined) return undefined;
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
  tokens: WelcomeTokens | undefined,
  { isReference }: { readonly isReference: boolean },
): string {
  return [
    'Gatefold is ready.',
    '',
    `  GraphQL   ${url}/graphql  (GraphiQL in a browser)`,
    ...(isReference ? [`  REST      ${url}/api/books`] : []),
    `  Health    ${url}/health`,
    `  Internal  ${internalUrl}/health`,
    ...(tokens === undefined ? [] : ['', `Two tokens, good for ${TOKEN_HOURS} hours:`, '', ...tokenLines(tokens)]),
    ...(isReference && tokens !== undefined ? ['', 'Paste the tokens, then:', '', ...examples(url)] : []),
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}

function tokenLines({ user, admin }: WelcomeTokens): readonly string[] {
  return [`  USER_TOKEN=${user}`, `  ADMIN_TOKEN=${admin}`];
}

function examples(url: string): readonly string[] {
  const asUser = '-H "Authorization: Bearer $USER_TOKEN"';
  const json = "-H 'Content-Type: application/json'";
  return [
    `  curl -s ${url}/graphql ${asUser} ${json} -d '{"query":"${FIVE_SUBGRAPHS}"}'`,
    `  curl -s '${url}/api/books?size=3&sort=-price'`,
    `  curl -si ${url}/orders ${asUser} ${json} -d '{"productId":7,"qty":2}'`,
  ];
}
