import { setTimeout as delay } from 'node:timers/promises';
import { Kind } from 'graphql';
import { type Clock, systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Generation, GenerationBound, GenerationHandle, GenerationView, UsedOperation } from './generation.ts';

/** The generations of one gateway: the current one, and older ones until their last request ends. */
export interface Generations extends AsyncDisposable {
  /**
   * Registers what is built for each generation before it is served. Where one is served already, it is built for that one
   * as soon as no load is under way; `ready` of the result tells when.
   *
   * @param build may refuse a generation by throwing: the one before stays. One that refuses the generation that is served
   *   when it is registered is not registered.
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /**
   * Builds a generation with all that is registered for it, then makes it the current one. Where it takes the place of
   * another it is warmed before: by what is used most, and by what its builders have prepared. Loads one after another. Where there are as many generations as may be, the oldest one is waited for, and ended when it takes too long.
   *
   * @throws whatever `create` or a registered builder throws; the current generation stays
   */
  load(create: () => Generation | Promise<Generation>): Promise<GenerationHandle>;
  /** Called with each generation that takes the place of another, once it is served. What is left on the one before must leave it soon. */
  onReplaced(listener: (next: GenerationHandle) => void): void;
  /**
   * Keeps a generation from being disposed of until the pin is.
   *
   * @param handle one that somebody has pinned; the current generation where absent
   * @throws GatewayError `NO_SUPERGRAPH` when none is loaded
   */
  pin(handle?: GenerationHandle): GenerationPin;
  /** How many there are, and which one is served; undefined while there is none. */
  report(): { readonly alive: number; readonly current: GenerationHandle | undefined };
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

export interface GenerationsOptions {
  readonly logger: Logger;
  /** Generations in memory at once. @defaultValue 3 */
  readonly maxGenerations?: number;
  /** How long a replaced generation is left to its requests when another needs its place. @unit milliseconds @defaultValue 30000 */
  readonly drainTimeoutMs?: number;
  /** Most used operations that are planned for a new generation before it is served. @defaultValue 100 */
  readonly warmOperations?: number;
  /** Until a new generation is served though not all of them are planned. @unit milliseconds @defaultValue 10000 */
  readonly warmTimeoutMs?: number;
  /** @defaultValue the system's */
  readonly clock?: Clock;
}

type Builder = (view: GenerationView) => unknown;

interface Slot {
  readonly generation: Generation;
  /** What the registered builders made. */
  readonly values: Map<Builder, unknown>;
  pins: number;
  /** When another one took its place. @unit milliseconds of the monotonic clock */
  retiredAt: number | undefined;
}

function noSupergraph(): GatewayError {
  return new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.', { headers: { 'retry-after': '5' } });
}

export function createGenerations(options: GenerationsOptions): Generations {
  const {
    logger,
    maxGenerations = 3,
    drainTimeoutMs = 30_000,
    warmOperations = 100,
    warmTimeoutMs = 10_000,
    clock = systemClock,
  } = options;
  const builders = new Set<Builder>();
  const slots = new Map<GenerationHandle, Slot>();
  const closing = new AbortController();
  const listeners: ((next: GenerationHandle) => void)[] = [];
  let current: Slot | undefined;
  /** Loads and late registrations, one after another. */
  let lastTask: Promise<unknown> | undefined;
  /** Called when a pin was let go of, and when a generation was disposed of. */
  const watchers = new Set<() => void>();

  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = (lastTask ?? Promise.resolve()).then(task);
    lastTask = done.catch(() => undefined);
    return done;
  }

  async function build(create: () => Generation | Promise<Generation>): Promise<Slot> {
    const generation = await create();
    try {
      const values = new Map<Builder, unknown>();
      const { view, prepared } = watchPreparing(generation);
      for (const builder of builders) values.set(builder, await builder(view));
      if (current !== undefined) await warm(generation, [...(current.generation.mostUsed?.(warmOperations) ?? []), ...prepared]);
      return { generation, values, pins: 0, retiredAt: undefined };
    } catch (error) {
      await generation[Symbol.asyncDispose]();
      throw error;
    }
  }

  async function swap(create: () => Generation | Promise<Generation>): Promise<GenerationHandle> {
    await makeRoom();
    const next = await build(create);
    const previous = current;
    slots.set(next.generation, next);
    current = next;
    if (previous !== undefined) {
      previous.retiredAt = clock.monotonic();
      for (const listener of listeners) listener(next.generation);
      disposeUnused(previous);
    }
    return next.generation;
  }

  /** A load waits rather than end a request; ending one is for those that hold a generation longer than any may. */
  async function makeRoom(): Promise<void> {
    while (slots.size >= maxGenerations) {
      const oldest = [...slots.values()].find((slot) => slot !== current);
      if (oldest === undefined) return;
      await until(() => !slots.has(oldest.generation), (oldest.retiredAt ?? 0) + drainTimeoutMs - clock.monotonic());
      if (closing.signal.aborted) throw noSupergraph();
      if (!slots.has(oldest.generation)) continue;
      logger.warn(
        { supergraph: oldest.generation.id, requests: oldest.pins },
        'Requests still held a replaced supergraph, and were ended.',
      );
      await dispose(oldest);
    }
  }

  async function warm(next: Generation, entries: readonly UsedOperation[]): Promise<void> {
    if (entries.length === 0) return;
    const enough = new AbortController();
    const end = (): void => enough.abort();
    const timer = setTimeout(end, warmTimeoutMs);
    closing.signal.addEventListener('abort', end, { once: true });
    try {
      await next.warm?.(entries, enough.signal);
    } catch (error) {
      logger.warn({ err: error, supergraph: next.id }, 'The most used operations could not all be prepared for a new supergraph.');
    } finally {
      clearTimeout(timer);
      closing.signal.removeEventListener('abort', end);
    }
  }

  function disposeUnused(slot: Slot): void {
    if (slot.pins > 0 || slot.retiredAt === undefined) return;
    dispose(slot).catch((error: unknown) => logger.error({ err: error }, 'A supergraph could not be put away.'));
  }

  async function dispose(slot: Slot): Promise<void> {
    if (!slots.delete(slot.generation)) return;
    notify();
    await slot.generation[Symbol.asyncDispose]();
  }

  function pinSlot(handle: GenerationHandle | undefined): Slot {
    const slot = handle === undefined ? current : slots.get(handle);
    if (slot === undefined) throw noSupergraph();
    slot.pins += 1;
    return slot;
  }

  function release(slot: Slot): void {
    slot.pins -= 1;
    disposeUnused(slot);
    notify();
  }

  function notify(): void {
    if (watchers.size === 0) return; // before an iterator is made: each request lets go of a pin
    for (const watcher of watchers) watcher();
  }

  /** Until a condition holds, `timeoutMs` at most; during `makeRoom` also until all is closed. */
  async function until(holds: () => boolean, timeoutMs: number, signal: AbortSignal = closing.signal): Promise<void> {
    if (holds() || timeoutMs <= 0 || signal.aborted) return;
    const done = new AbortController();
    const end = (): void => done.abort();
    const watcher = (): void => {
      if (holds()) end();
    };
    watchers.add(watcher);
    signal.addEventListener('abort', end, { once: true });
    await delay(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined);
    signal.removeEventListener('abort', end);
    watchers.delete(watcher);
  }

  function isUnpinned(): boolean {
    return [...slots.values()].every(({ pins }) => pins === 0);
  }

  async function close(): Promise<void> {
    closing.abort();
    await lastTask;
    current = undefined;
  }

  /** For the generation that is served already. One that it refuses would refuse every other too, and nobody asked for that. */
  async function buildLate(builder: Builder): Promise<void> {
    if (current !== undefined) current.values.set(builder, await builder(current.generation));
    builders.add(builder);
  }

  return {
    onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T> {
      const builder: Builder = (view) => build(view); // a builder registered twice is two
      let ready = Promise.resolve();
      if (lastTask === undefined) builders.add(builder);
      else ready = enqueue(() => buildLate(builder));
      ready.catch((error: unknown) => logger.error({ err: error }, 'What was registered does not fit the supergraph that is served.'));
      return {
        ready,
        acquire() {
          if (current?.values.has(builder) !== true) throw noSupergraph();
          const slot = pinSlot(undefined);
          const pin = new SlotPin(slot, release);
          return { value: slot.values.get(builder) as T, generation: slot.generation, [Symbol.dispose]: () => pin[Symbol.dispose]() };
        },
      };
    },
    load: (create) => (closing.signal.aborted ? Promise.reject(noSupergraph()) : enqueue(() => swap(create))),
    onReplaced: (listener) => void listeners.push(listener),
    pin: (handle) => new SlotPin(pinSlot(handle), release),
    report: () => ({ alive: slots.size, current: current?.generation }),
    async drain(timeoutMs) {
      await close();
      await until(isUnpinned, timeoutMs, NEVER);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await Promise.all([...slots.values()].map((slot) => dispose(slot)));
    },
  };
}

/** Keeps a slot until it is disposed of. A class, because each request has one. */
class SlotPin implements GenerationPin {
  readonly generation: Generation;
  readonly #slot: Slot;
  readonly #release: (slot: Slot) => void;
  #isReleased = false;

  constructor(slot: Slot, release: (slot: Slot) => void) {
    this.generation = slot.generation;
    this.#slot = slot;
    this.#release = release;
  }

  [Symbol.dispose](): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release(this.#slot);
  }
}

const NEVER = new AbortController().signal;
const NOBODY = (): boolean => false;

/** What builders prepare they will run: a new generation should not be the first to plan it for a client. */
function watchPreparing(generation: Generation): { readonly view: GenerationView; readonly prepared: readonly UsedOperation[] } {
  const prepared: UsedOperation[] = [];
  const view: GenerationView = {
    schema: generation.schema,
    accessOf: (document) => generation.accessOf?.(document),
    grantOf: (document) => generation.grantOf?.(document) ?? NOBODY,
    ...(generation.ownersOf === undefined ? {} : { ownersOf: generation.ownersOf }),
    prepare(text) {
      const document = generation.prepare(text);
      for (const definition of document.document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const operationName = definition.name?.value;
        prepared.push(operationName === undefined ? { document: text } : { document: text, operationName });
      }
      return document;
    },
  };
  return { view, prepared };
}
