import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ANONYMOUS, createGateway, type Gateway, type GatewayConfigInput, GatewayError, type Principal } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { SubgraphRequest, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@authenticated"])
  type Query { greeting(name: String = "nobody"): String secret: String @authenticated broken: String }
  type Mutation { greet: String }
`;

function supergraph(): string {
  const composition = composeSubgraphs([{ name: 'one', url: 'http://one.invalid/', files: [{ path: 'one.graphql', text: SDL }] }]);
  if (composition.errors !== undefined) throw new Error(JSON.stringify(composition.errors));
  return composition.supergraphSdl;
}

const SUPERGRAPH = supergraph();
const ADA: Principal = { ...ANONYMOUS, kind: 'user', id: 'ada' };

type Respond = (request: SubgraphRequest) => Promise<SubgraphResponse> | SubgraphResponse;

const respondByName: Respond = ({ body }) => {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Readonly<Record<string, string>> };
  if (query.includes('broken')) throw new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service behind this gateway cannot be reached.');
  const value = query.includes('secret') ? 'hidden' : `Hello ${Object.values(variables ?? {})[0] ?? 'nobody'}`;
  const [, name = ''] = /(\w+)(?=: *(?:greeting|secret|greet)\b)/.exec(query) ?? /\b(greeting|secret|greet)\b/.exec(query) ?? [];
  return { data: { [name]: value } };
};

let endings: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.reverse()) await end();
  endings = [];
});

async function newGateway(config: Partial<GatewayConfigInput> = {}, respond: Respond = respondByName): Promise<Gateway> {
  const gateway = await createGateway(
    { supergraph: { sdl: SUPERGRAPH }, server: { drainTimeoutMs: 2_000 }, ...config },
    {
      logger: silentLogger,
      subgraphExecutor: () => Object.assign(async (request: SubgraphRequest) => respond(request), { async [Symbol.asyncDispose]() {} }),
    },
  );
  endings.push(() => gateway.close());
  return gateway;
}

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endings.push(() => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function post(url: string, query: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.json() };
}

const HELLO = '{ greeting }';

const codesOf = (errors: Awaited<ReturnType<Gateway['run']>>['errors']) => errors?.map(({ extensions }) => extensions.code);

describe('run, given operations that are rejected or fail', () => {
  it.each([
    ['a syntax error', '{ greeting', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a subscription', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['several operations without a name', 'query A { greeting } query B { greeting }', 'OPERATION_RESOLUTION_FAILURE'],
    ['a missing variable', 'query A($name: String!) { greeting(name: $name) }', 'BAD_USER_INPUT'],
  ])('returns the code of %s without data', async (_what, query, code) => {
    const gateway = await newGateway();
    const result = await gateway.run({ query });
    expect(codesOf(result.errors)).toEqual([code]);
    expect(result).not.toHaveProperty('data');
  });

  it('returns the data of the other fields when a subgraph fails', async () => {
    const gateway = await newGateway();
    const result = await gateway.run({ query: '{ broken }' });
    expect(result.data).toEqual({ broken: null });
    expect(codesOf(result.errors)).toEqual(['SUBGRAPH_UNAVAILABLE']);
  });

  it('returns a constant message for an unexpected error', async () => {
    const gateway = await newGateway({}, () => {
      throw new Error('a stack that nobody may see');
    });
    const result = await gateway.run({ query: '{ greeting }' });
    expect(codesOf(result.errors)).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(JSON.stringify(result)).not.toContain('nobody may see');
  });
});

describe('run, given wrong input', () => {
  it.each([
    ['a BigInt', { query: HELLO, variables: { name: 5n } }],
    ['a principal that is null', { query: HELLO, principal: null }],
  ])('throws a TypeError for %s', async (_what, input) => {
    const gateway = await newGateway();
    await expect(gateway.run(input as never)).rejects.toThrow(/^gateway\.run: /);
    await expect(gateway.run(input as never)).rejects.toThrow(TypeError);
  });

  it('throws the reason of an aborted signal', async () => {
    const gateway = await newGateway();
    const reason = new Error('changed my mind');
    await expect(gateway.run({ query: '{ greeting }', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('throws when the local supergraph cannot be served', async () => {
    const gateway = await newGateway({ supergraph: { sdl: 'type Query { a: Int }' } });
    await expect(gateway.run({ query: '{ greeting }' })).rejects.toThrow(/supergraph/);
  });

  it('throws when the gateway is closed', async () => {
    const gateway = await newGateway();
    await gateway.close();
    await expect(gateway.run({ query: '{ greeting }' })).rejects.toThrow('The gateway has been closed.');
  });
});

describe('run, given a valid operation', () => {
  it('writes no warning about callers on the network until a server can receive their requests', async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, warn: (_facts: unknown, message?: unknown) => void lines.push(String(message)) };
    const gateway = await createGateway(
      { supergraph: { sdl: SUPERGRAPH }, limits: { maxCost: 1_000 } },
      { logger, subgraphExecutor: () => Object.assign(async () => ({ data: {} }), { async [Symbol.asyncDispose]() {} }) },
    );
    endings.push(() => gateway.close());
    await gateway.run({ query: HELLO });
    expect(lines).toEqual([]);
    const { url } = await serve(gateway.handler);
    await post(url, HELLO);
    expect(lines).toEqual([expect.stringContaining('Anonymous callers have no rate limit')]);
  });

  it('accepts null for absent variables and operation names, as in JSON', async () => {
    const gateway = await newGateway();
    const input = { query: '{ greeting }', variables: null, operationName: null };
    expect(await gateway.run(input as never)).toEqual({ data: { greeting: 'Hello nobody' } });
  });

  it('returns exactly the data, for the named operation and its variables', async () => {
    const gateway = await newGateway();
    const query = 'query A { greeting } query B($name: String) { hi: greeting(name: $name) }';
    expect(await gateway.run({ query, operationName: 'B', variables: { name: 'Ada' } })).toEqual({ data: { hi: 'Hello Ada' } });
    expect(await gateway.run({ query: 'mutation { greet }' })).toEqual({ data: { greet: 'Hello nobody' } });
  });

  it('authorizes the principal, which is anonymous by default', async () => {
    const gateway = await newGateway();
    const anonymous = await gateway.run({ query: '{ secret }' });
    expect(anonymous.data).toEqual({ secret: null });
    expect(codesOf(anonymous.errors)).toEqual(['UNAUTHENTICATED']);
    expect(await gateway.run({ query: '{ secret }', principal: ADA })).toEqual({ data: { secret: 'hidden' } });
  });

  it('passes headers on with lower-case names, from objects and from Headers', async () => {
    const seen: unknown[] = [];
    const gateway = await newGateway({}, (request) => {
      seen.push([request.context.headers['x-tenant'], request.context.correlationId]);
      return respondByName(request);
    });
    await gateway.run({ query: '{ greeting }', headers: { 'X-Tenant': ['a', 'b'], 'X-Correlation-Id': 'one', accept: undefined } });
    await gateway.run({ query: '{ greeting }', headers: new Headers({ 'X-Tenant': 'c', 'X-Correlation-Id': 'two' }) });
    expect(seen).toEqual([
      ['a, b', 'one'],
      ['c', 'two'],
    ]);
  });

  it('returns extensions as over HTTP', async () => {
    const gateway = await newGateway({ limits: { exposeCost: true } });
    const { extensions } = await gateway.run({ query: '{ greeting }', headers: { 'gatefold-cost': '1' } });
    expect(extensions).toHaveProperty('cost');
  });
});

describe('handler, given a server of the application', () => {
  it('rejects a request with two Authorization headers, of which Node.js shows one', async () => {
    const gateway = await newGateway();
    const { url } = await serve(gateway.handler);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const body = JSON.stringify({ query: '{ greeting }' });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YTpi\r\nAuthorization: Bearer b\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[01] /);
  });

  it('responds with 500 when the body was read before, and does not wait for it', async () => {
    const gateway = await newGateway();
    const { url } = await serve((request, response) => void text(request).then(() => gateway.handler(request, response)));
    expect(await post(url, '{ greeting }')).toMatchObject({
      status: 500,
      body: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    });
  });

  it('responds with 503 while the supergraph cannot be loaded', async () => {
    const gateway = await newGateway({ supergraph: { sdl: 'type Query { a: Int }' } });
    const { url } = await serve(gateway.handler);
    expect(await post(url, '{ greeting }')).toMatchObject({ status: 503, body: { errors: [{ extensions: { code: 'NO_SUPERGRAPH' } }] } });
  });

  it('responds to probes while the supergraph is not loaded, and loads it', async () => {
    const silent = await serve(() => undefined);
    const waiting = await newGateway({ supergraph: { url: silent.url } });
    const { url } = await serve(waiting.handler);
    const statusOf = async (address: string) => (await fetch(address, { signal: AbortSignal.timeout(5_000) })).status;
    expect(await statusOf(`${url}/health/live`)).toBe(200);
    expect(await statusOf(`${url}/health/ready`)).toBe(503);

    const loading = await newGateway();
    const { url: other } = await serve(loading.handler);
    await statusOf(`${other}/health/ready`);
    await loading.load();
    expect(await statusOf(`${other}/health/ready`)).toBe(200);
  });

  it('logs once why the supergraph cannot be loaded, so that clients cannot fill the log', async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, error: (_facts: object, message: string) => void lines.push(message) };
    const gateway = await createGateway({ supergraph: { sdl: 'type Query { a: Int }' } }, { logger: logger as typeof silentLogger });
    endings.push(() => gateway.close());
    const { url } = await serve(gateway.handler);
    for (let count = 0; count < 3; count += 1) expect((await post(url, '{ greeting }')).status).toBe(503);
    expect(lines.filter((line) => line === 'The supergraph cannot be loaded.')).toHaveLength(1);
  });

  it('tries to load the supergraph again only after a delay, and at once after the application has loaded it', async () => {
    let time = 0;
    let attempts = 0;
    let sdl = 'type Query { a: Int }';
    const gateway = await createGateway(
      {},
      {
        logger: silentLogger,
        clock: { now: () => Date.now(), monotonic: () => time },
        supergraphSource: () => ({
          name: 'the test',
          isLocal: true,
          start(listener) {
            attempts += 1;
            listener.onSupergraph(sdl);
          },
          async [Symbol.asyncDispose]() {},
        }),
      },
    );
    endings.push(() => gateway.close());
    const { url } = await serve(gateway.handler);
    const isRejected = async () =>
      expect(await Promise.all([post(url, HELLO), post(url, HELLO)])).toMatchObject([{ status: 503 }, { status: 503 }]);
    await isRejected();
    await isRejected();
    await expect(gateway.run({ query: HELLO })).rejects.toThrow(/supergraph/);
    expect(attempts).toBe(1);
    time = 1_000;
    await isRejected();
    expect(attempts).toBe(2);
    time = 2_000; // The second delay is longer than the first.
    await isRejected();
    expect(attempts).toBe(2);
    sdl = SUPERGRAPH;
    await gateway.load();
    expect((await post(url, '{ __typename }')).status).toBe(200);
  });

  it.each(['before', 'after'])(
    'executes nothing when the application has responded, and close does not wait, when called %s loading',
    async (order) => {
      const lines: string[] = [];
      const bodies: string[] = [];
      const gateway = await createGateway(
        { supergraph: { sdl: SUPERGRAPH } },
        {
          logger: { ...silentLogger, error: (_facts: unknown, message?: unknown) => void lines.push(String(message)) },
          subgraphExecutor: () =>
            Object.assign(
              async (request: SubgraphRequest) => {
                bodies.push(request.body);
                return respondByName(request);
              },
              { async [Symbol.asyncDispose]() {} },
            ),
        },
      );
      endings.push(() => gateway.close());
      if (order === 'after') await gateway.load();
      const { url } = await serve((request, response) => response.end('done', () => gateway.handler(request, response)));
      for (let count = 0; count < 2; count += 1) {
        const response = await fetch(`${url}/graphql?query={greeting}`, { headers: { 'apollo-require-preflight': '1' } });
        expect(await response.text()).toBe('done');
      }
      await gateway.close();
      expect(bodies).toEqual([]);
      expect(lines).toEqual([expect.stringContaining('called after the application had responded')]);
    },
  );

  it('responds with 404 for other paths, unless it can call next', async () => {
    const gateway = await newGateway();
    const alone = await serve(gateway.handler);
    expect((await fetch(`${alone.url}/other`)).status).toBe(404);
    const { url } = await serve((request, response) => gateway.handler(request, response, () => response.end('next')));
    expect(await (await fetch(`${url}/other`)).text()).toBe('next');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    gateway.mount((_request, response) => response.end('mounted'), ['/other']);
    expect(await (await fetch(`${url}/other`)).text()).toBe('mounted');
  });

  it('loads the supergraph at the first request', async () => {
    const gateway = await newGateway();
    const { url } = await serve(gateway.handler);
    expect(await post(url, '{ greeting }')).toEqual({ status: 200, body: { data: { greeting: 'Hello nobody' } } });
  });

  it('ignores upgrades to other paths, and all when WebSockets are disabled', async () => {
    const taken: boolean[] = [];
    for (const enabled of [true, false]) {
      const gateway = await newGateway({ subscriptions: { websocket: { enabled } } });
      const { server } = await serve(gateway.handler);
      server.on('upgrade', (request, socket, head) => {
        const isTaken = gateway.upgrade(request, socket, head);
        taken.push(isTaken);
        if (!isTaken) socket.destroy();
      });
      for (const path of ['/other', '/graphql']) {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`);
        await once(socket.resume(), 'close');
      }
    }
    expect(taken).toEqual([false, true, false, false]);
  });
});

describe('close', () => {
  it('returns the same promise each time, as disposal does', async () => {
    const gateway = await newGateway();
    const closing = gateway.close();
    expect(gateway.close()).toBe(closing);
    expect(gateway[Symbol.asyncDispose]()).toBe(closing);
    await closing;
    await expect(gateway.listen()).rejects.toThrow('closed');
  });

  it('finishes a request of an own server in progress, and rejects later ones with 503', async () => {
    let begun: () => void = () => undefined;
    let proceed: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const mayProceed = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const gateway = await newGateway({}, async (request) => {
      begun();
      await mayProceed;
      return respondByName(request);
    });
    const { url } = await serve(gateway.handler);
    const first = post(url, '{ greeting }');
    await hasBegun;
    const closing = gateway.close();
    expect(await post(url, '{ hi: greeting }')).toMatchObject({ status: 503, body: { errors: [{ extensions: { code: 'OVERLOADED' } }] } });
    proceed();
    expect(await first).toEqual({ status: 200, body: { data: { greeting: 'Hello nobody' } } });
    await closing;
    expect(await post(url, '{ hi: greeting }')).toMatchObject({ status: 503 });
  });
});
