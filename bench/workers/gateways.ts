import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../tests/support/http/free-port.ts';
import { checkout } from '../targets/paths.ts';

/** Gateways of one configuration. */
export interface Gateways extends AsyncDisposable {
  readonly ports: readonly number[];
  readonly pids: readonly number[];
}

export interface GatewaysOptions {
  readonly directory: string;
  readonly supergraphFile: string;
  readonly settings: object;
  /** Number of separate gateways. */
  readonly gateways: number;
  /** Number of worker processes of each. With 1, a gateway is one process. */
  readonly workers: number;
}

/** Starts `gatefold serve` of the build, without any setting of the environment. @throws Error when a gateway does not start */
export async function startGateways({ directory, supergraphFile, settings, gateways, workers }: GatewaysOptions): Promise<Gateways> {
  const file = join(directory, `gatefold-${process.hrtime.bigint()}.json`);
  await writeFile(file, JSON.stringify(settings));
  const started: { readonly port: number; readonly child: ChildProcess }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(
      started.map(async ({ child }) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }),
    );
  };
  try {
    for (let index = 0; index < gateways; index += 1) started.push(await start({ directory, supergraphFile, file, workers }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { ports: started.map(({ port }) => port), pids: started.map(({ child }) => child.pid ?? 0), [Symbol.asyncDispose]: stop };
}

interface StartOptions extends Pick<GatewaysOptions, 'directory' | 'supergraphFile' | 'workers'> {
  readonly file: string;
}

async function start({ directory, supergraphFile, file, workers }: StartOptions) {
  const port = await freePort(2);
  const where = ['--config', file, '--supergraph', supergraphFile, '--port', String(port), '--internal-port', String(port + 1)];
  const command = [join(checkout, 'dist/cli/main.js'), 'serve', '--workers', String(workers), ...where];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, command, { cwd: directory, env: { PATH, HOME, NODE_ENV: 'production' }, stdio: 'pipe' });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer): void => {
      output += text.toString();
      if (output.includes('Gatefold serves')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The gateway ended before it served:\n${output}`)));
  });
  return { port, child };
}
