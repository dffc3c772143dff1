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

  async function request<ScriptedResponse>(question: Question): Promise<ScriptedResponse> {
    child.send(question);
    const [response] = (await Promise.race([once(child, 'message'), died])) as [ScriptedResponse & { readonly failure?: string }];
    if (response.failure !== undefined) throw new Error(response.failure);
    return response;
  }

  const urls = await request<{ readonly url: string; readonly internalUrl: string }>({ start: config });
  return {
    ...urls,
    memory: () => request('memory'),
    blocks: () => request('blocks'),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      await request('stop');
      child.disconnect();
      await exit;
    },
  };
}
