import { Agent, request } from 'undici';

export interface SteadyLoad {
  /** Returns the number of successful requests. */
  readonly responded: () => number;
  /** Wrong responses. Empty when all were right. */
  readonly failures: readonly string[];
  /** Returns the duration of the slowest request. @unit milliseconds */
  readonly slowestMs: () => number;
  /** Sends no more requests, and waits for those in flight. */
  stop(): Promise<void>;
}

export interface SteadyLoadOptions {
  readonly url: string;
  readonly perSecond: number;
  /** Returns the version that is certainly served, and the newest one that may be served. */
  readonly versions: () => { readonly atLeast: number; readonly atMost: number };
}

interface Case {
  readonly body: (turn: number) => object;
  readonly expected: (turn: number) => object;
}

const author = { name: 'Person 7' };

const CASES: readonly Case[] = [
  { body: () => ({ query: '{ me { id name } }' }), expected: () => ({ me: { id: '7', name: 'Person 7' } }) },
  {
    body: () => ({ query: '{ topBooks { title author { name } } }' }),
    expected: () => ({ topBooks: ['1', '2', '3'].map((id) => ({ title: `Book ${id}`, author })) }),
  },
  {
    body: (turn) => ({
      query: 'query One($id: ID!) { book(id: $id) { id author { name } } me { name } }',
      variables: { id: String(turn) },
    }),
    expected: (turn) => ({ book: { id: String(turn), author }, me: author }),
  },
  {
    body: (turn) => ({
      query: 'mutation Rate($stars: Int!) { rate(id: "1", stars: $stars) { stars author { name } } }',
      variables: { stars: turn },
    }),
    expected: (turn) => ({ rate: { stars: turn, author } }),
  },
];

const VERSION = { query: '{ __type(name: "Version") { description } }' };

/** Sends requests at a fixed rate, whether or not earlier ones are finished, and compares each response with the expected one. */
export function startSteadyLoad({ url, perSecond, versions }: SteadyLoadOptions): SteadyLoad {
  const agent = new Agent({ connections: 64 });
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;
  let responded = 0;
  let slowestMs = 0;

  async function query(body: object): Promise<unknown> {
    const response = await request(`${url}/graphql`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${text}`);
    return JSON.parse(text);
  }

  async function requestVersion(): Promise<void> {
    const { atLeast } = versions();
    const response = (await query(VERSION)) as { readonly data?: { readonly __type?: { readonly description?: string } } };
    const version = Number(/^version (\d+)$/.exec(response.data?.__type?.description ?? '')?.[1]);
    const { atMost } = versions();
    if (!(version >= atLeast && version <= atMost)) throw new Error(`version ${version}, not from ${atLeast} to ${atMost}`);
  }

  async function send(turn: number): Promise<void> {
    const began = performance.now();
    try {
      const one = CASES[turn % (CASES.length + 1)];
      if (one === undefined) await requestVersion();
      else {
        const response = JSON.stringify(await query(one.body(turn)));
        const expected = JSON.stringify({ data: one.expected(turn) });
        if (response !== expected) throw new Error(`${response}, not ${expected}`);
      }
      responded += 1;
      slowestMs = Math.max(slowestMs, performance.now() - began);
    } catch (error) {
      failures.push(`request ${turn}: ${String(error)}`);
    }
  }

  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    clearInterval(timer);
    await Promise.all(running);
    await agent.close();
  }

  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1_000) * perSecond; sent < due; sent += 1) {
      const sending = send(sent);
      running.add(sending);
      void sending.then(() => running.delete(sending));
    }
  }, 5);
  return {
    responded: () => responded,
    failures,
    slowestMs: () => slowestMs,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
