import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe } from '@jest/globals';
import { type AnyBody, createHttpClient, type HttpResponse, type HttpClient, type HttpRequest } from '../http/http-client.ts';
import { eventually } from '../time/eventually.ts';
import type { StackAddress, Storage } from './reference-stack.ts';
import { signToken, type TokenClaims } from '../identity/tokens.ts';

/** A running stack with helpers for tests. */
export interface Stack extends StackAddress {
  readonly http: HttpClient;
  /** Bearer tokens of seeded users. Users 1 and 2 have posts, orders and shipments. */
  readonly tokens: { readonly user1: string; readonly user2: string; readonly admin: string };
  readonly token: (claims: TokenClaims) => string;
  /** Sends `POST /graphql`. */
  readonly graphql: <Data = AnyBody>(query: string, options?: GraphqlOptions) => Promise<GraphqlResponse<Data>>;
  /** Creates a user that no other test uses, for tests that write. */
  readonly newUser: () => Promise<NewUser>;
  /** Creates an order of that user with the status PENDING. */
  readonly newOrder: (owner: NewUser, product?: { readonly productId?: number; readonly qty?: number }) => Promise<number>;
}

export interface NewUser {
  readonly id: number;
  readonly token: string;
  readonly email: string;
}

export interface GraphqlOptions extends Pick<HttpRequest, 'headers' | 'token' | 'origin'> {
  readonly variables?: unknown;
  readonly operationName?: string;
}

export interface GraphqlError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly requestId: string };
}

interface GraphqlBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlResponse<Data> extends HttpResponse<GraphqlBody<Data>> {
  readonly data: Data | null | undefined;
  readonly errors: readonly GraphqlError[] | undefined;
  /** Codes of `errors`, in order. Empty without errors. */
  readonly codes: readonly string[];
}

/** Passes the stack of their Jest project to the tests. Without a server the tests are skipped, and the run prints the reason. */
export function describeOnStack(title: string, body: (stack: Stack) => void): void {
  const storage = storageOfThisProject();
  const address = heldStack(storage);
  if (address === undefined) throw new Error(`The stack on ${storage} was not started. These tests need the Jest project of that name.`);
  const isMissing = 'missing' in address;
  const run = isMissing ? describe.skip : describe;
  run(isMissing ? `${title} (${address.missing})` : title, () => body(createStack(isMissing ? NOWHERE : behindEngine(address))));
}

/** Redirects requests to the Apollo engine in front of the same subgraphs in the Jest project `apollo`. */
function behindEngine(address: StackAddress): StackAddress {
  const { referenceEngine } = globalThis as { referenceEngine?: 'apollo' };
  return referenceEngine === 'apollo' ? { ...address, url: address.apolloUrl } : address;
}

/** Whether this run also has the stack on PostgreSQL, in addition to the stack of these tests. */
export function isAlsoOnServer(): boolean {
  const server = heldStack('postgresql');
  return storageOfThisProject() === 'pglite' && server !== undefined && !('missing' in server);
}

function storageOfThisProject(): Storage {
  return (globalThis as { referenceStorage?: Storage }).referenceStorage ?? 'pglite';
}

/** Addresses of a stack, or why it is not available. */
type HeldStack = StackAddress | { readonly missing: string } | { readonly failure: string };

/** Addresses of the stacks of this run, by storage. The stacks start while the tests that do not need them run. */
const heldStacks = new Map(
  await Promise.all((['pglite', 'postgresql'] as const).map(async (storage) => [storage, await readHeldStack(storage)] as const)),
);

function heldStack(storage: Storage): StackAddress | { readonly missing: string } | undefined {
  const held = heldStacks.get(storage);
  if (held !== undefined && 'failure' in held) throw new Error(held.failure);
  return held;
}

/** Waits for the file that `hold-reference-stack.js` writes. */
async function readHeldStack(storage: Storage): Promise<HeldStack | undefined> {
  const file = process.env[`GATEFOLD_TEST_STACK_${storage.toUpperCase()}`];
  if (file === undefined) return undefined;
  await eventually(() => existsSync(file), { everyMs: 50, withinMs: 120_000, what: `the reference stack on ${storage} has started` });
  return JSON.parse(await readFile(file, 'utf8')) as HeldStack;
}

const NOWHERE: StackAddress = {
  url: '',
  internalUrl: '',
  unlimitedUrl: '',
  apolloUrl: '',
  subgraphUrls: {},
  developmentKey: '',
  identitySecret: '',
};

/** Returns a name that no other test of any run uses. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** Creates the test helpers for a running stack. */
export function createStack(address: StackAddress): Stack {
  const { url, internalUrl, unlimitedUrl, subgraphUrls, developmentKey, identitySecret } = address;
  const ports = [internalUrl, ...Object.values(subgraphUrls)].flatMap((at) => (at === '' ? [] : [`:${new URL(at).port}`]));
  const secrets = [...ports, developmentKey, identitySecret].filter((secret) => secret !== '');
  const http = createHttpClient({ origin: url, secrets, described: [url, unlimitedUrl] });
  const token = (claims: TokenClaims) => signToken(claims, { key: developmentKey });
  const tokens = { user1: token({ sub: '1' }), user2: token({ sub: '2' }), admin: token({ sub: '200', roles: ['ADMIN'] }) };

  async function graphql<Data>(query: string, options: GraphqlOptions = {}): Promise<GraphqlResponse<Data>> {
    const { variables, operationName, ...rest } = options;
    const response = await http.post<GraphqlBody<Data>>('/graphql', { query, variables, operationName }, rest);
    const { data, errors } = response.body;
    return { ...response, data, errors, codes: errors?.map((error) => error.extensions.code) ?? [] };
  }

  async function newUser(): Promise<NewUser> {
    const email = `${uniqueName('user')}@example.com`;
    const { data, text } = await graphql<{ createUser: { user: { id: string } | null } }>(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } errors { field message } } }',
      { variables: { input: { name: 'Somebody New', email, age: 30 } } },
    );
    if (!data?.createUser.user) throw new Error(`The user was not created: ${text}`);
    const id = Number(data.createUser.user.id);
    return { id, email, token: token({ sub: String(id) }) };
  }

  async function newOrder(owner: NewUser, { productId = 1, qty = 2 }: { productId?: number; qty?: number } = {}): Promise<number> {
    const response = await http.post<{ id: number }>('/orders', { productId, qty }, { token: owner.token });
    if (response.status !== 201) throw new Error(`The order was not created: ${String(response.status)} ${response.text}`);
    return response.body.id;
  }

  return { ...address, http, tokens, token, graphql, newUser, newOrder };
}
