import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { request as startSecureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../http/free-port.ts';
import { childrenOf, type CliProcess, startCli } from '../process/built-cli.ts';

/** Names the worker process in each response. */
const HOOK = "export default { onResponse: () => ({ headers: { 'x-worker-pid': String(process.pid) } }) };";

/** A running `gatefold serve --workers`. */
export interface ServedWorkers extends AsyncDisposable {
  readonly gatefold: CliProcess;
  /** URL of the public listener. */
  readonly url: string;
  readonly internalUrl: string;
  /** Numbers of the workers that are ready. */
  ready(): Promise<readonly number[]>;
  /** Process ids of the workers. */
  pids(): Promise<readonly number[]>;
}

export interface ServedWorkersOptions {
  readonly supergraph: string;
  readonly config?: object;
  /** Value of `--workers`. @defaultValue 2 */
  readonly workers?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** @defaultValue http */
  readonly scheme?: 'http' | 'https';
}

/** Starts the built command in an empty folder, on free ports. Resolves when it serves. */
export async function serveWorkers(options: ServedWorkersOptions): Promise<ServedWorkers> {
  const { supergraph, config = {}, workers = '2', env = {}, scheme = 'http' } = options;
  const cwd = await mkdtemp(join(tmpdir(), 'gatefold-workers-'));
  const port = await freePort(2);
  const settings = { hooks: { modules: ['./hook.mjs'] }, server: { shutdown: { lameDuckMs: 0 } }, ...config };
  await writeFile(join(cwd, 'supergraph.graphql'), supergraph);
  await writeFile(join(cwd, 'hook.mjs'), HOOK);
  await writeFile(join(cwd, 'gatefold.yaml'), JSON.stringify(settings));
  const where = ['--supergraph', 'supergraph.graphql', '--port', String(port), '--internal-port', String(port + 1)];
  const gatefold = startCli(['serve', '--workers', workers, ...where], { cwd, env });
  await gatefold.waitFor(/Gatefold serves/);
  const internalUrl = `http://127.0.0.1:${port + 1}`;
  return {
    gatefold,
    url: `${scheme}://127.0.0.1:${port}`,
    internalUrl,
    async ready() {
      const { workers: reports } = JSON.parse((await sendToWorker(`${internalUrl}/health/ready`)).body) as {
        readonly workers: readonly { readonly worker: number; readonly status: string }[];
      };
      return reports.filter(({ status }) => status === 'ok').map(({ worker }) => worker);
    },
    pids: async () => childrenOf(gatefold.pid),
    async [Symbol.asyncDispose]() {
      await gatefold[Symbol.asyncDispose]();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

/** Response of one worker. */
export interface ServedResponse {
  readonly status: number;
  /** Process id of the worker. */
  readonly pid: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface WorkerRequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a POST request. @defaultValue a GET request */
  readonly body?: string;
  /** Certificate of the listener, for an `https` URL. */
  readonly ca?: string;
}

/** Sends a request on a new connection, which is the unit that is balanced. */
export async function sendToWorker(url: string, { headers = {}, body, ca }: WorkerRequestOptions = {}): Promise<ServedResponse> {
  const options = { agent: false, method: body === undefined ? 'GET' : 'POST', headers } as const;
  const sent = url.startsWith('https:')
    ? startSecureRequest(url, { ...options, ca, servername: 'stock.test' })
    : startRequest(url, options);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'x-worker-pid': pid } = response.headers;
  return { status: response.statusCode ?? 0, pid: Number(pid), body: await text(response), headers: response.headers };
}
