import type { DeferredPart, DeferredPatch, ExecutionOutcome } from '../../execution/executable-operation.ts';
import { withDeadline } from './with-deadline.ts';

/** What is run in parts. */
export interface RunInParts {
  /** Ends with the first part. */
  readonly start: (signal: AbortSignal) => Promise<ExecutionOutcome>;
  /** Until the last part must have come. @unit milliseconds */
  readonly timeoutMs: number;
  /** Stops it; absent where it runs on without a client. */
  readonly clientGone: AbortSignal | undefined;
  /** Called once, when nothing of it runs any more. */
  readonly onEnd: () => void;
}

/** What comes after the first part. */
export interface PartStream {
  /** Whether anything does. */
  readonly hasNext: boolean;
  /** @throws what ended it early */
  next(): Promise<LaterPart>;
  /** What has not come, as null. */
  giveUp(): DeferredPart;
  /** Nobody waits any more. */
  cancel(): void;
}

export interface OutcomeInParts extends ExecutionOutcome {
  /** Present where the client asks for it. @unit points */
  readonly cost?: { readonly estimated: number; readonly actual: number };
  readonly stream?: PartStream;
  readonly cached?: undefined;
}

const OVER = new Error('All parts of the answer are out.');

/**
 * Runs an operation up to its first part, and on from there by itself, whoever reads what comes.
 *
 * @throws what the first part ends with, as `withDeadline` does
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
        controller.abort(OVER); // requests whose answers nobody waits for
        onEnd();
      });
  });
}

/** A later part of an answer. */
interface LaterPart extends DeferredPart {
  readonly hasNext: boolean;
}

/** Later parts between who makes them and who sends them: what is ready by the time of sending goes together. */
export interface PartQueue {
  push(part: LaterPart): void;
  /** No part comes any more. */
  fail(reason: unknown): void;
  /** One at a time. @throws the reason of `fail`, after what came before it */
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
