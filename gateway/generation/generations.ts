import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Generation, GenerationBound, GenerationHandle, GenerationView } from './generation.ts';

/** The generations of one gateway: the current one, and older ones until their last request ends. */
export interface Generations extends AsyncDisposable {
  /**
   * Registers what is built for each generation before it is served.
   *
   * @param build may refuse the generation by throwing: the one before stays
   * @throws Error once the first `load` has begun: that generation would be served without it
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /**
   * Builds a generation with all that is registered for it, then makes it the current one. Loads one after another.
   *
   * @throws whatever `create` or a registered builder throws; the current generation stays
   */
  load(create: () => Generation | Promise<Generation>): Promise<GenerationHandle>;
  /**
   * Keeps a generation from being disposed of until the pin is.
   *
   * @param handle one that somebody has pinned; the current generation where absent
   * @throws GatewayError `NO_SUPERGRAPH` when none is loaded
   */
  pin(handle?: GenerationHandle): GenerationPin;
  /**
   * Lets nobody in any more who has not pinned a generation yet, and waits for those who have, `timeoutMs` at most.
   * Disposing of all is what comes next: it does not wait for anybody.
   *
   * @unit milliseconds
   */
  drain(timeoutMs: number): Promise<void>;
}

export interface GenerationPin extends Disposable {
  readonly generation: Generation;
}

interface Slot {
  readonly generation: Generation;
  /** What the registered builders made, in the order of registration. */
  readonly values: readonly unknown[];
  pins: number;
  isRetired: boolean;
}

function noSupergraph(): GatewayError {
  return new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.', { headers: { 'retry-after': '5' } });
}

export function createGenerations({ logger }: { readonly logger: Logger }): Generations {
  const builders: ((view: GenerationView) => unknown)[] = [];
  const slots = new Map<GenerationHandle, Slot>();
  let current: Slot | undefined;
  let lastLoad: Promise<unknown> | undefined;
  let isClosed = false;
  let onRelease = (): void => {};

  async function build(create: () => Generation | Promise<Generation>): Promise<Slot> {
    const generation = await create();
    try {
      const values: unknown[] = [];
      for (const builder of builders) values.push(await builder(generation));
      return { generation, values, pins: 0, isRetired: false };
    } catch (error) {
      await generation[Symbol.asyncDispose]();
      throw error;
    }
  }

  async function swap(create: () => Generation | Promise<Generation>): Promise<GenerationHandle> {
    const next = await build(create);
    const previous = current;
    slots.set(next.generation, next);
    current = next;
    if (previous !== undefined) retire(previous);
    return next.generation;
  }

  function retire(slot: Slot): void {
    slot.isRetired = true;
    if (slot.pins === 0) dispose(slot).catch((error: unknown) => logger.error({ err: error }, 'A supergraph could not be put away.'));
  }

  async function dispose(slot: Slot): Promise<void> {
    if (!slots.delete(slot.generation)) return;
    await slot.generation[Symbol.asyncDispose]();
  }

  function pinSlot(handle: GenerationHandle | undefined): Slot {
    const slot = handle === undefined ? current : slots.get(handle);
    if (slot === undefined) throw noSupergraph();
    slot.pins += 1;
    return slot;
  }

  function release(slot: Slot): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      slot.pins -= 1;
      if (slot.pins === 0 && slot.isRetired) retire(slot);
      onRelease();
    };
  }

  function isPinned(): boolean {
    return [...slots.values()].some(({ pins }) => pins > 0);
  }

  return {
    onGeneration<T>(builder: (view: GenerationView) => T | Promise<T>): GenerationBound<T> {
      if (lastLoad !== undefined) throw new Error('Register with `onGeneration` before the gateway listens, or runs its first operation.');
      const index = builders.push(builder) - 1;
      return {
        acquire() {
          const slot = pinSlot(undefined);
          return { value: slot.values[index] as T, generation: slot.generation, [Symbol.dispose]: release(slot) };
        },
      };
    },
    load(create) {
      if (isClosed) return Promise.reject(noSupergraph());
      const load = (lastLoad ?? Promise.resolve()).then(() => swap(create));
      lastLoad = load.catch(() => undefined);
      return load;
    },
    pin(handle) {
      const slot = pinSlot(handle);
      return { generation: slot.generation, [Symbol.dispose]: release(slot) };
    },
    async drain(timeoutMs) {
      isClosed = true;
      await lastLoad;
      current = undefined;
      if (!isPinned()) return;
      await new Promise<void>((resolve) => {
        const giveUp = setTimeout(resolve, timeoutMs);
        onRelease = () => {
          if (isPinned()) return;
          clearTimeout(giveUp);
          resolve();
        };
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await lastLoad;
      current = undefined;
      await Promise.all([...slots.values()].map((slot) => dispose(slot)));
    },
  };
}
