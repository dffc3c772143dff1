import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { argumentsForTypeScript } from '../../support/process/process-of.ts';
import type { Blocks, Memory, Question } from './gateway-process.ts';

export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
  memory(): Promise<Memory>;
  blocks(): Promise<Blocks>;
}

/** Starts a gateway in a separate process. */
export async function startGatewayProcess(config: GatewayConfigInput): Promise<GatewayProcess> {
  const child = fork(fileURLToPath(new URL('gateway-process.ts', import.meta.url)), {
    execArgv: ['--expose-gc', ...argumentsForTypeScript()],
    env: { NODE_ENV: 'production' },
  });
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The gateway process ended with ${String(code)}.`)));
  died.catch(() => undefined);

  async function ask<Reply>(question: Question): Promise<Reply> {
    child.send(question);
    const [reply] = (await Promise.race([once(child, 'message'), died])) as [Reply & { readonly failure?: string }];
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply;
  }

  const urls = await ask<{ readonly url: string; readonly internalUrl: string }>({ start: config });
  return {
    ...urls,
    memory: () => ask('memory'),
    blocks: () => ask('blocks'),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      await ask('stop');
      child.disconnect();
      await exit;
    },
  };
}
