import { setTimeout as delay } from 'node:timers/promises';
import { Kind } from 'graphql';
import { type Clock, systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { exerciseGeneration } from './exercise-generation.ts';
import type { Generation, PerGeneration, GenerationHandle, GenerationView, UsedOperation } from './generation.ts';

/** Generations of one gateway: the current one, and older ones until their last request ends. */
export interface Generations extends AsyncDisposable {
  /**
   * Registers a builder that is called for each generation before it is served. When a generation is already served, the builder is called
   * for it after pending loads. `ready` of the result resolves afterwards.
   *
   * @param build Builder of the value. It can reject a generation by throwing, and the current one then stays in service. A builder that
   * rejects the current generation at its registration is not registered.
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): PerGeneration<T>;
  /**
   * Builds a generation with all registered values, then makes it the current one. When it replaces another generation, the most used
   * operations and those that its builders prepared are planned before. Loads run one after another. At the maximum number of generations,
   * a load waits for the oldest one and ends it after a timeout.
   *
   * @throws any error of `create` or of a registered builder; the current generation stays in service
   */
  load(create: () => Generation | Promise<Generation>): Promise<GenerationHandle>;
  /**
   * Prepares generated operations on the current generation, and executes them without subgraphs, while no request has pinned it. Nothing
   * is stored. Resolves when all have been executed, or when clients have sent requests for a while.
   */
  exercise(count: number): Promise<void>;
  /**
   * Registers a listener that is called with each generation that replaced another one, once it is served. Work that remains on the
   * previous generation must leave it soon.
   */
  onReplaced(listener: (next: GenerationHandle) => void): void;
  /**
   * Pins a generation, which prevents its disposal until the pin is disposed of.
   *
   * @param handle A pinned generation; the current generation when absent.
   * @throws GatewayError `NO_SUPERGRAPH` when no supergraph is loaded
   */
  pin(handle?: GenerationHandle): GenerationPin;
  /** Returns the number of generations and the current one; undefined before the first load. */
  report(): { readonly alive: number; readonly current: GenerationHandle | undefined };
  /**
   * Rejects requests that have not pinned a generation yet and waits up to `timeoutMs` for those that have. The disposal that follows does
   * not wait for requests.
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
  /** Maximum number of generations in memory. @defaultValue 3 */
  readonly maxGenerations?: number;
  /** Time that a replaced generation has for its requests when another generation needs its slot. @unit milliseconds @defaultValue 30000 */
  readonly drainTimeoutMs?: number;
  /** Number of most used operations that are planned for a new generation before it is served. @defaultValue 100 */
  readonly warmOperations?: number;
  /** Time after which a new generation is served even if not all of these operations are planned. @unit milliseconds @defaultValue 10000 */
  readonly warmTimeoutMs?: number;
  /** @defaultValue The system clock. */
  readonly clock?: Clock;
}

type Builder = (view: GenerationView) => unknown;

interface Slot {
  readonly generation: Generation;
  /** Values that the registered builders returned. */
  readonly values: Map<Builder, unknown>;
  pins: number;
  /** Time at which the generation was replaced, by the monotonic clock. @unit milliseconds */
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
  /** Last task in the queue of loads and late registrations, which run one after another. */
  let lastTask: Promise<unknown> | undefined;
  /** Called when a pin was released and when a generation was disposed of. */
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
      if (current !== undefined) await warm(generation, [...((await current.generation.mostUsed?.(warmOperations)) ?? []), ...prepared]);
      return { generation, values, pins: 0, retiredAt: undefined };
    } catch (error) {
      await generation[Symbol.asyncDispose]();
      throw error;
    }
  }

  async function swap(create: () => Generation | Promise<Generation>): Promise<GenerationHandle> {
    await freeSlot();
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

  /**
   * Waits for a free slot. A load waits rather than end a request. Requests are ended only when they hold a generation beyond the timeout.
   */
  async function freeSlot(): Promise<void> {
    while (slots.size >= maxGenerations) {
      const oldest = [...slots.values()].find((slot) => slot !== current);
      if (oldest === undefined) return;
      await until(() => !slots.has(oldest.generation), (oldest.retiredAt ?? 0) + drainTimeoutMs - clock.monotonic());
      if (closing.signal.aborted) throw noSupergraph();
      if (!slots.has(oldest.generation)) continue;
      logger.warn(
        { supergraph: oldest.generation.id, requests: oldest.pins },
        'Requests that still ran on a replaced supergraph were ended.',
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
      logger.warn({ err: error, supergraph: next.id }, 'Not all of the most used operations could be prepared for a new supergraph.');
    } finally {
      clearTimeout(timer);
      closing.signal.removeEventListener('abort', end);
    }
  }

  function disposeUnused(slot: Slot): void {
    if (slot.pins > 0 || slot.retiredAt === undefined) return;
    dispose(slot).catch((error: unknown) => logger.error({ err: error }, 'A replaced supergraph could not be disposed of.'));
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
    if (watchers.size === 0) return; // Checked before an iterator is created, because every request releases a pin.
    for (const watcher of watchers) watcher();
  }

  /** Waits until a condition holds, at most `timeoutMs`. During `freeSlot` it also ends when the gateway closes. */
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

  /** Calls a builder for the current generation. A builder that rejects it is not registered, because it would block every later load. */
  async function buildLate(builder: Builder): Promise<void> {
    if (current !== undefined) current.values.set(builder, await builder(current.generation));
    builders.add(builder);
  }

  return {
    onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): PerGeneration<T> {
      const builder: Builder = (view) => build(view); // A new function, so that the same builder can be registered twice.
      let ready = Promise.resolve();
      if (lastTask === undefined) builders.add(builder);
      else ready = enqueue(() => buildLate(builder));
      ready.catch((error: unknown) =>
        logger.error({ err: error }, 'A component that builds data for each supergraph rejected the current one.'),
      );
      return {
        ready,
        acquire() {
          if (current?.values.has(builder) !== true) throw noSupergraph();
          const slot = pinSlot(undefined);
          return new PinnedValue(slot.values.get(builder) as T, slot, release);
        },
      };
    },
    load: (create) => (closing.signal.aborted ? Promise.reject(noSupergraph()) : enqueue(() => swap(create))),
    async exercise(count) {
      if (current === undefined) return;
      const slot = pinSlot(undefined);
      try {
        await exerciseGeneration(slot.generation, { count, isBusy: () => slot.pins > 1, signal: closing.signal });
      } finally {
        release(slot);
      }
    },
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

/** Pins a slot until disposal. It is a class, because every request creates one. */
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

/** A value of a pinned generation. It is a class, because every REST request creates one. */
class PinnedValue<T> extends SlotPin {
  readonly value: T;

  constructor(value: T, slot: Slot, release: (slot: Slot) => void) {
    super(slot, release);
    this.value = value;
  }
}

const NEVER = new AbortController().signal;
const GRANTED_TO_NO_CALLER = (): boolean => false;

/** Records the operations that builders prepare. Builders will execute them, so a new generation plans them before it serves clients. */
function watchPreparing(generation: Generation): { readonly view: GenerationView; readonly prepared: readonly UsedOperation[] } {
  const prepared: UsedOperation[] = [];
  const view: GenerationView = {
    schema: generation.schema,
    accessOf: (document) => generation.accessOf?.(document),
    grantOf: (document) => generation.grantOf?.(document) ?? GRANTED_TO_NO_CALLER,
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
