import type { DeferredPart, DeferredPatch, ExecutionOutcome } from '../../execution/executable-operation.ts';
import { withDeadline } from './with-deadline.ts';

/** An incremental execution. */
export interface RunInParts {
  /** Starts the execution. Resolves with the initial payload. */
  readonly start: (signal: AbortSignal) => Promise<ExecutionOutcome>;
  /** Time until the last payload. @unit milliseconds */
  readonly timeoutMs: number;
  /** Aborts the execution; absent when it continues without a client. */
  readonly clientGone: AbortSignal | undefined;
  /** Called once, when the execution has ended completely. */
  readonly onEnd: () => void;
}

/** Payloads after the initial one. */
export interface PartStream {
  /** Whether there are further payloads. */
  readonly hasNext: boolean;
  /** Returns the next payload. @throws the error that ended the execution early */
  next(): Promise<LaterPart>;
  /** Returns the fragments that were not delivered, with null as data. */
  giveUp(): DeferredPart;
  /** Stops the execution when the payloads are no longer needed. */
  cancel(): void;
}

export interface OutcomeInParts extends ExecutionOutcome {
  /** Present when the client requests it. @unit points */
  readonly cost?: { readonly estimated: number; readonly actual: number };
  readonly stream?: PartStream;
  readonly cached?: undefined;
}

const OVER = new Error('All incremental payloads have been delivered.');

/**
 * Runs an operation until its initial payload. The execution then continues independently of the reader.
 *
 * @throws the error of the initial payload, as `withDeadline` does
 */
export function runInParts({ start, timeoutMs, clientGone, onEnd }: RunInParts): Promise<OutcomeInParts> {
  const controller = new AbortController();
  const queue = createPartQueue();
  return new Promise((resolve, reject) => {
    const work = async (): Promise<void> => {
      const outcome = await start(controller.signal);
      const { deferred } = outcome;
      if (deferred === undefined) return resolve(outcome);
      const stream = {
        hasNext: deferred.hasNext,
        next: () => queue.next(),
        giveUp: () => deferred.giveUp(),
        cancel: () => controller.abort(OVER),
      };
      resolve({ ...outcome, stream });
      while (deferred.hasNext) {
        const { patches } = await deferred.next();
        queue.push({ patches, hasNext: deferred.hasNext });
      }
    };
    const fail = (error: unknown): void => {
      reject(error);
      queue.fail(error);
    };
    void withDeadline(timeoutMs, clientGone, controller, work)
      .catch(fail)
      .finally(() => {
        controller.abort(OVER); // cancel requests whose responses are no longer needed
        onEnd();
      });
  });
}

/** An incremental payload after the initial one. */
interface LaterPart extends DeferredPart {
  readonly hasNext: boolean;
}

/** Queue of payloads between execution and transport. All payloads that are ready when the next one is read are merged. */
export interface PartQueue {
  push(part: LaterPart): void;
  /** Ends the queue with an error. */
  fail(reason: unknown): void;
  /** Returns the next payload. Only one call at a time is allowed. @throws the reason of `fail`, after the payloads before it */
  next(): Promise<LaterPart>;
}

export function createPartQueue(): PartQueue {
  let patches: DeferredPatch[] = [];
  let hasNext = true;
  let failure: { readonly reason: unknown } | undefined;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(part) {
      patches.push(...part.patches);
      ({ hasNext } = part);
      tell();
    },
    fail(reason) {
      failure ??= { reason };
      tell();
    },
    async next() {
      const isWaiting = (): boolean => patches.length === 0 && hasNext && failure === undefined;
      while (isWaiting()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (patches.length === 0 && hasNext) throw failure?.reason;
      const part = { patches, hasNext };
      patches = [];
      return part;
    },
  };
}
