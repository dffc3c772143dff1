import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibrarySubgraph, librarySupergraph, startLibrarySubgraph } from '../fixtures/library-graph.ts';
import { freePort } from '../support/http/free-port.ts';
import { type CliProcess, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';

const SLOW = 120_000;
/** Throws, or rejects a promise, outside of any request. */
const DEFECTS = `--import=data:text/javascript,${encodeURIComponent(
  'process.on("SIGUSR2", () => { throw new Error("a defect"); });' +
    'process.on("SIGWINCH", () => void Promise.reject(new Error("a forgotten promise")));',
)}`;

let directory: string;
beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-shutdown-'));
}, SLOW);
afterAll(async () => rm(directory, { recursive: true, force: true }));

interface Running extends AsyncDisposable {
  readonly gatefold: CliProcess;
  readonly subgraph: LibrarySubgraph;
  readonly url: string;
  /** Status of the readiness; undefined when the listener is closed. */
  readonly readiness: () => Promise<number | undefined>;
  /** Sends a query that the subgraph holds. Resolves when the subgraph has received it. */
  readonly hold: () => Promise<{ readonly response: Promise<unknown> }>;
}

async function serve(env: Readonly<Record<string, string>>): Promise<Running> {
  const subgraph = await startLibrarySubgraph();
  const port = await freePort(2);
  const file = join(directory, `${port}.graphql`);
  await writeFile(file, librarySupergraph(subgraph.url));
  const gatefold = startCli(['serve', '--supergraph', file, '--port', String(port), '--internal-port', String(port + 1)], {
    cwd: directory,
    env: { NODE_OPTIONS: DEFECTS, ...env },
  });
  await gatefold.waitFor(/Gatefold serves/);
  const url = `http://127.0.0.1:${port}`;
  return {
    gatefold,
    subgraph,
    url,
    async readiness() {
      const response = await fetch(`http://127.0.0.1:${port + 1}/health/ready`).catch(() => undefined);
      return response?.status;
    },
    async hold() {
      const pending = fetch(`${url}/graphql?query={heldBook{title}}`, { headers: { 'apollo-require-preflight': '1' } }).then((response) =>
        response.json(),
      );
      pending.catch(() => undefined);
      await subgraph.held;
      return { response: pending };
    },
    async [Symbol.asyncDispose]() {
      await gatefold[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
    },
  };
}

describe('gatefold serve', () => {
  it('ends at once at a second signal, although a request is in progress', async () => {
    await using running = await serve({ GATEFOLD_SERVER__DRAIN_TIMEOUT_MS: '600000' });
    const { response: pending } = await running.hold();
    running.gatefold.signal('SIGTERM');
    await eventually(async () => (await running.readiness()) === 503);
    // Signals within 300 ms are the same key press.
    await new Promise((resolve) => {
      setTimeout(resolve, 400);
    });
    running.gatefold.signal('SIGTERM');
    expect(await running.gatefold.exit).toEqual({ code: 143, signal: null });
    await expect(pending).rejects.toThrow();
  });

  it('reports 503 and serves new requests after the first signal, and exits with 0 when the last request has ended', async () => {
    await using running = await serve({});
    const { response: pending } = await running.hold();
    running.gatefold.signal('SIGTERM');
    await eventually(async () => (await running.readiness()) === 503);
    const served = await fetch(`${running.url}/graphql?query={__typename}`, { headers: { 'apollo-require-preflight': '1' } });
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    running.subgraph.release();
    expect(await pending).toEqual({ data: { heldBook: { title: 'Momo' } } });
    expect(await running.gatefold.exit).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['SIGUSR2', 'a defect'],
    ['SIGWINCH', 'a forgotten promise'],
  ] as const)('finishes its requests and exits with 1 after an error without a handler (%s)', async (signal, message) => {
    await using running = await serve({ GATEFOLD_SERVER__SHUTDOWN__LAME_DUCK_MS: '0' });
    const { response: pending } = await running.hold();
    running.gatefold.signal(signal);
    await eventually(async () => (await running.readiness()) === 503);
    running.subgraph.release();
    expect(await pending).toEqual({ data: { heldBook: { title: 'Momo' } } });
    expect(await running.gatefold.exit).toEqual({ code: 1, signal: null });
    expect(running.gatefold.output()).toContain(message);
    expect(running.gatefold.output()).toContain('An error was not handled. The gateway finishes its requests and stops.');
  });
});
