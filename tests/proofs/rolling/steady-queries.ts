import { Agent, request } from 'undici';

/** Queries at a fixed rate, whose responses are all known. */
export interface SteadyQueries {
  readonly sent: () => number;
  readonly succeeded: () => number;
  /** Descriptions of the failed requests. */
  readonly failures: readonly string[];
  /** Stops, and waits for the requests in flight. */
  stop(): Promise<void>;
}

const EXPECTED = '{"data":{"notesNow":7}}';
const STEP_MS = 5;

/** Sends queries and never repeats one. A connection is used until the gateway announces its end. */
export function startSteadyQueries(url: string, perSecond: number): SteadyQueries {
  const agent = new Agent({ connections: 32, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  let [sent, succeeded] = [0, 0];

  async function send(turn: number): Promise<void> {
    try {
      const response = await request(`${url}/graphql`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: `query Turn${turn % 10} { notesNow }` }),
      });
      const text = await response.body.text();
      if (text === EXPECTED) succeeded += 1;
      else failures.push(`request ${turn}: status ${response.statusCode}, ${text.slice(0, 300)}`);
    } catch (error) {
      failures.push(`request ${turn}: ${String(error)}`);
    }
  }

  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1_000) * perSecond; sent < due; sent += 1) {
      const sending = send(sent);
      running.add(sending);
      void sending.then(() => running.delete(sending));
    }
  }, STEP_MS);
  return {
    sent: () => sent,
    succeeded: () => succeeded,
    failures,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      await agent.close();
    },
  };
}
