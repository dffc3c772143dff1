import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';

/** Commands to the process, one at a time. */
export type Question = { readonly start: GatewayConfigInput } | 'memory' | 'blocks' | 'stop';

export interface Memory {
  /** Heap size after several garbage collections, if the process may collect on demand. @unit bytes */
  readonly heap: number;
  /** Resident set size. @unit bytes */
  readonly resident: number;
}

export interface Blocks {
  /** Longest block of the event loop since the previous command. @unit milliseconds */
  readonly longestMs: number;
}

/**
 * Resolution of the event loop monitor. The gateway runs in a separate process, so that only its own memory and event loop are measured.
 * @unit milliseconds
 */
const RESOLUTION_MS = 2;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let gateway: Awaited<ReturnType<typeof createGateway>> | undefined;

async function start(config: GatewayConfigInput): Promise<object> {
  gateway = await createGateway(config);
  gateway.onGeneration(({ schema, prepare }) => {
    if (schema.getType('Unwanted') !== undefined) throw new Error('The schema has the type Unwanted.');
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

async function respond(question: Question): Promise<object> {
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
  respond(question as Question).then(
    (response) => process.send?.(response),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
