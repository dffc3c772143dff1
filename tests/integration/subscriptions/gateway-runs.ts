import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { argumentsForTypeScript } from '../../support/process/process-of.ts';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';

/** A gateway that is started repeatedly at the same address. */
export interface GatewayRuns {
  start(config: GatewayConfigInput): Promise<{ readonly url: string; readonly internalUrl: string }>;
  /** Stops gracefully: clients are disconnected first. */
  stop(): Promise<void>;
  /** Stops immediately without a graceful shutdown. */
  kill(): Promise<void>;
}

/** Creates a gateway that runs in a separate process. */
export function gatewayInProcess(): GatewayRuns {
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    child = undefined;
  }

  return {
    async start(config) {
      child = fork(fileURLToPath(new URL('stream-gateway.ts', import.meta.url)), {
        execArgv: [...SHORT_LIVED, ...argumentsForTypeScript()],
        env: { ...process.env, NODE_ENV: 'production' },
      });
      const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The gateway exited with ${String(code)}.`)));
      died.catch(() => undefined);
      child.send(config);
      const [urls] = (await Promise.race([once(child, 'message'), died])) as [{ readonly url: string; readonly internalUrl: string }];
      return urls;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Creates a gateway that runs in this process, which cannot be killed. */
export function gatewayHere(): GatewayRuns {
  let gateway: AsyncDisposable | undefined;
  const stop = async (): Promise<void> => {
    await gateway?.[Symbol.asyncDispose]();
    gateway = undefined;
  };
  return {
    async start(config) {
      const created = await createGateway(config);
      gateway = created;
      return created.listen();
    },
    stop,
    kill: stop,
  };
}
