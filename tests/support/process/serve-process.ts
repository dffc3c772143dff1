import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { freePort } from '../http/free-port.ts';
import { cleanEnvironment, type CliProcess, watchProcess } from './built-cli.ts';

/** A process of `gatefold serve` that is started repeatedly at the same address. */
export interface ServeProcess extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
  /** Working directory of the process. */
  readonly directory: string;
  /** Starts the process. Resolves when it serves. */
  start(): Promise<void>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Process that was started last. */
  readonly current: CliProcess | undefined;
}

export interface ServeProcessOptions {
  readonly config: Omit<GatewayConfigInput, 'supergraph'> & { readonly rest?: { readonly documents: string } };
  /** Supergraph file. */
  readonly supergraph: string;
  /** Arguments of Node. @defaultValue none */
  readonly nodeArguments?: readonly string[];
}

/** Prepares a process with a configuration file and free ports. Its Node options are those of users, unlike those of short tests. */
export async function createServeProcess({ config, supergraph, nodeArguments = [] }: ServeProcessOptions): Promise<ServeProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-serve-'));
  const file = join(directory, 'gatefold.yaml');
  const [port, internalPort] = [await freePort(), await freePort()];
  const all = { ...config, supergraph: { file: supergraph, pollIntervalMs: 100 }, server: { ...config.server, port, internalPort } };
  await writeFile(file, stringify(all));
  let current: CliProcess | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    directory,
    get current() {
      return current;
    },
    async start() {
      const args = [...nodeArguments, join(packageRoot, 'dist/cli/main.js'), 'serve', '--config', file];
      current = watchProcess(spawn(process.execPath, args, { cwd: directory, env: cleanEnvironment(), stdio: 'pipe' }));
      await current.waitFor(/Gatefold serves/);
    },
    async stop() {
      current?.signal('SIGTERM');
      return (await current?.exit)?.code ?? null;
    },
    async [Symbol.asyncDispose]() {
      await current?.[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}
