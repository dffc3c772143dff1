import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';

/** What the process is asked for, one question at a time. */
export type Question = { readonly start: GatewayConfigInput } | 'memory' | 'blocks' | 'stop';

export interface Memory {
  /** After several collections, where the process may collect at will. @unit bytes */
  readonly heap: number;
  /** @unit bytes */
  readonly resident: number;
}

export interface Blocks {
  /** How long the event loop stood still at most since it was asked before. @unit milliseconds */
  readonly longestMs: number;
}

/** A gateway in a process of its own, so that its memory and its event loop are measured and nobody else's. */
const RESOLUTION_MS = 2;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let gateway: Awaited<ReturnType<typeof createGateway>> | undefined;

async function start(config: GatewayConfigInput): Promise<object> {
  gateway = await createGateway(config);
  gateway.onGeneration(({ schema, prepare }) => {
    if (schema.getType('Unwanted') !== undefined) throw new Error('There is a type that nobody wants.');
    return prepare('{ me { id } }');
  });
  const urls = await gateway.listen();
  delays.enable();
  return urls;
}

async function collect(): Promise<Memory> {
  for (let turn = 0; turn < 8; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, resident: rss };
}

async function answer(question: Question): Promise<object> {
  if (question === 'memory') return collect();
  if (question === 'blocks') {
    const longestMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
    delays.reset();
    return { longestMs };
  }
  if (question === 'stop') {
    await gateway?.[Symbol.asyncDispose]();
    return {};
  }
  return start(question.start);
}

process.on('message', (question) => {
  answer(question as Question).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
