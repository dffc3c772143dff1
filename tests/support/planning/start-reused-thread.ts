import { Worker } from 'node:worker_threads';
import { startThread as startOwnThread, type ThreadOptions } from '../../../gateway/planning/worker/start-thread.ts';
import type { ThreadRequest, ThreadResponse } from '../../../gateway/planning/worker/thread-messages.ts';
import { builtModule } from '../../../gateway/platform/package-root.ts';

/** Heap with which gateways start their planners. @unit megabytes */
const USUAL_HEAP_MB = 512;
/** Maximum number of idle threads that wait for a supergraph. Others end. */
const MAX_FREE = 3;

const free: Worker[] = [];

/**
 * Replaces `startThread` of the gateway in the processes that run test files. A new thread with its modules takes a third of a second of
 * processor time, and tests start more than a thousand gateways. An idle thread serves the next supergraph with a new planner. A thread
 * that is stopped while it plans ends, as in the product. Threads with custom modules or heaps are started as in the product.
 */
export function startThread(options: ThreadOptions): Worker {
  const { supergraph, plannerModule, maxHeapMb } = options;
  if (plannerModule !== undefined || maxHeapMb !== USUAL_HEAP_MB) return startOwnThread(options);
  const thread = free.pop() ?? openThread();
  serve(thread);
  thread.postMessage({ kind: 'open', supergraph } satisfies ThreadRequest, []);
  return thread;
}

function openThread(): Worker {
  return new Worker(new URL('reused-planner-thread.js', import.meta.url), {
    name: 'gatefold-planner',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: USUAL_HEAP_MB },
    workerData: {
      openModule: builtModule('gateway/planning/worker/open-planner.ts').href,
      plannerModule: builtModule('gateway/planning/create-query-planner.ts').href,
      indexModule: builtModule('gateway/planning/indexing/create-indexes.ts').href,
      failureModule: builtModule('gateway/planning/worker/thread-messages.ts').href,
    },
  });
}

/** Makes `terminate` return the thread to the pool once. */
function serve(thread: Worker): void {
  const { postMessage, terminate } = Worker.prototype;
  let isLoaded = false;
  let plans = 0;
  let isStopped = false;
  const end = (): Promise<number> => {
    forget(thread);
    return terminate.call(thread);
  };
  const giveBack = (): void => {
    forget(thread);
    thread.unref();
    if (free.length < MAX_FREE) free.push(thread);
    else void end();
  };
  thread.ref();
  thread.on('message', ({ kind }: ThreadResponse) => {
    // A thread that rejected a supergraph can load the next one.
    if (kind === 'ready' || kind === 'not-started') isLoaded = true;
    else plans -= 1;
    if (isStopped) giveBack();
  });
  thread.postMessage = (message: ThreadRequest, transferred) => {
    if (message.kind === 'plan') plans += 1;
    else isLoaded = false;
    postMessage.call(thread, message, transferred);
  };
  thread.terminate = async () => {
    if (isStopped) return 0;
    isStopped = true;
    if (plans !== 0 || thread.threadId === -1) return end();
    if (isLoaded) giveBack();
    else thread.unref(); // The thread returns to the pool when it has loaded the supergraph, although the supergraph is no longer needed.
    return 0;
  };
}

/** Removes the listeners of the last user. Without event names, the listeners of Node itself would be removed too. */
function forget(thread: Worker): void {
  for (const event of ['message', 'exit', 'error']) thread.removeAllListeners(event);
  thread.on('error', () => undefined);
}
