import type { DeferredPayload, DeferredPatch, ExecutionResult } from '../../execution/executable-operation.ts';
import { withDeadline } from './with-deadline.ts';

/** An incremental execution. */
export interface RunIncrementally {
  /** Starts the execution. Resolves with the initial payload. */
  readonly start: (signal: AbortSignal) => Promise<ExecutionResult>;
  /** Time until the last payload. @unit milliseconds */
  readonly timeoutMs: number;
  /** Aborts the execution; absent when it continues without a client. */
  readonly disconnectSignal: AbortSignal | undefined;
  /** Called once, when the execution has ended completely. */
  readonly onEnd: () => void;
}

/** Payloads after the initial one. */
export interface PayloadStream {
  /** Whether there are further payloads. */
  readonly hasNext: boolean;
  /** Returns the next payload. @throws the error that ended the execution early */
  next(): Promise<IncrementalPayload>;
  /** Returns the fragments that were not delivered, with null as data. */
  giveUp(): DeferredPayload;
  /** Stops the execution when the payloads are no longer needed. */
  cancel(): void;
}

/** Body of a response that several requests receive, encoded once. */
export interface SharedBody {
  readonly text: string;
  readonly bytes: Buffer;
}

export interface IncrementalResult extends ExecutionResult {
  /** Body for all requests that share the execution. @defaultValue each request makes its own */
  readonly shared?: SharedBody;
  readonly stream?: PayloadStream;
  readonly cached?: undefined;
}

const OVER = new Error('All incremental payloads have been delivered.');

/**
 * Runs an operation until its initial payload. The execution then continues independently of the reader.
 *
 * @throws the error of the initial payload, as `withDeadline` does
 */
export function runIncrementally({ start, timeoutMs, disconnectSignal, onEnd }: RunIncrementally): Promise<IncrementalResult> {
  const controller = new AbortController();
  const queue = createPayloadQueue();
  return new Promise((resolve, reject) => {
    const work = async (): Promise<void> => {
      const result = await start(controller.signal);
      const { deferred } = result;
      if (deferred === undefined) return resolve(result);
      const stream = {
        hasNext: deferred.hasNext,
        next: () => queue.next(),
        giveUp: () => deferred.giveUp(),
        cancel: () => controller.abort(OVER),
      };
      resolve({ ...result, stream });
      while (deferred.hasNext) {
        const { patches } = await deferred.next();
        queue.push({ patches, hasNext: deferred.hasNext });
      }
    };
    const fail = (error: unknown): void => {
      reject(error);
      queue.fail(error);
    };
    void withDeadline(timeoutMs, disconnectSignal, controller, work)
      .catch(fail)
      .finally(() => {
        controller.abort(OVER); // cancel requests whose responses are no longer needed
        onEnd();
      });
  });
}

/** An incremental payload after the initial one. */
interface IncrementalPayload extends DeferredPayload {
  readonly hasNext: boolean;
}

/** Queue of payloads between execution and transport. All payloads that are ready when the next one is read are merged. */
export interface PayloadQueue {
  push(payload: IncrementalPayload): void;
  /** Ends the queue with an error. */
  fail(reason: unknown): void;
  /** Returns the next payload. Only one call at a time is allowed. @throws the reason of `fail`, after the payloads before it */
  next(): Promise<IncrementalPayload>;
}

export function createPayloadQueue(): PayloadQueue {
  let patches: DeferredPatch[] = [];
  let hasNext = true;
  let failure: { readonly reason: unknown } | undefined;
  let wake: (() => void) | undefined;
  const report = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(payload) {
      patches.push(...payload.patches);
      ({ hasNext } = payload);
      report();
    },
    fail(reason) {
      failure ??= { reason };
      report();
    },
    async next() {
      const isWaiting = (): boolean => patches.length === 0 && hasNext && failure === undefined;
      while (isWaiting()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (patches.length === 0 && hasNext) throw failure?.reason;
      const payload = { patches, hasNext };
      patches = [];
      return payload;
    },
  };
}
