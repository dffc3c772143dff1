import type { DeferredPart, DeferredPatch } from '../execution/executable-operation.ts';

/** A later part of an answer. */
export interface LaterPart extends DeferredPart {
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
