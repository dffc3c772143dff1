import type { CallMessage, PrimaryMessage } from '../../../cli/workers/messages.ts';
import { NO_RESULT } from '../../../cli/workers/messages.ts';
import { type CallServer, createCallServer } from '../../../cli/workers/serve-calls.ts';
import { type BucketRate, createMemoryBuckets, type Withdrawal } from '../../../gateway/budget/buckets.ts';
import { createPrimaryBuckets } from '../../../gateway/budget/primary-buckets.ts';
import { createPrimaryLeaseBook, type Taken } from '../../../gateway/budget/primary-lease-book.ts';
import type { OpenPrimarySession, PrimaryNotice, PrimaryState } from '../../../gateway/platform/primary-state.ts';

/** A worker whose messages to and from the primary arrive one by one, when the test delivers them. */
export interface SimulatedWorker {
  /** Takes points. A result that is not a promise was granted from a lease. */
  take(key: string, rate: BucketRate, points: number): Withdrawal | Promise<Withdrawal>;
  /** Delivers the oldest message to the primary. Returns false if there is none. */
  deliverToPrimary(): Promise<boolean>;
  /** Delivers the oldest message of the primary. Returns false if there is none. */
  deliverToWorker(): Promise<boolean>;
  /** Lets calls fail from now on, as if the primary responded too late. Reports still arrive. */
  failCalls(): void;
  /** Returns all leases. */
  dispose(): void;
  /** Ends the worker. Messages that are not delivered are lost. */
  end(): Promise<void>;
}

/** Decision to grant points, or to return them. */
export interface Grant {
  readonly key: string;
  readonly points: number;
  readonly isFromLease: boolean;
}

export interface SimulatedWorkersOptions {
  readonly count: number;
  /** Called when points are granted or returned: by a worker from a lease, or by the primary. */
  readonly onGrant?: (grant: Grant) => void;
  /** Whether takes are decided after a time although a worker does not return its lease. @defaultValue true */
  readonly hasRevocationTimeout?: boolean;
}

export interface SimulatedWorkers {
  readonly workers: readonly SimulatedWorker[];
  /** Starts another worker. */
  start(): SimulatedWorker;
  /** Advances the time, and runs the timers that are due. */
  pass(ms: number): Promise<void>;
  /** Delivers all messages until there are no more, except to one worker and from it. */
  deliverAll(except?: SimulatedWorker): Promise<void>;
  /** Number of notices of each kind that the primary has sent. */
  readonly notices: { lease: number; revoke: number };
  now(): number;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Simulates workers that share the budgets of one primary, with a clock and channels that the test controls. */
export function simulateWorkers({ count, onGrant = () => {}, hasRevocationTimeout = true }: SimulatedWorkersOptions): SimulatedWorkers {
  let now = 1_000.5;
  const clock = { now: () => now, monotonic: () => now };
  let timers: Timer[] = [];
  const notices = { lease: 0, revoke: 0 };
  const workers: SimulatedWorker[] = [];

  function schedule(run: () => void, delayMs: number): () => void {
    const timer = { at: now + delayMs, run };
    timers.push(timer);
    return () => void (timers = timers.filter((one) => one !== timer));
  }

  const book = createPrimaryLeaseBook({
    buckets: createMemoryBuckets({ maxEntries: 1_000, clock }),
    clock,
    schedule: hasRevocationTimeout ? schedule : () => () => {},
  });

  const openSession: OpenPrimarySession = (notify) => {
    const account = book.open((notice) => {
      notices[notice[0]] += 1;
      notify(notice);
    });
    return {
      run(name, args) {
        if (name === 'surrender') return account.surrender(args);
        const [key, , , points] = args as readonly [string, number, number, number];
        const note = (taken: Taken): Taken => {
          if (taken[0] === 1) onGrant({ key, points, isFromLease: false });
          return taken;
        };
        const taken = account.take(args);
        return taken instanceof Promise ? taken.then(note) : note(taken);
      },
      end: account.end,
    };
  };

  function start(): SimulatedWorker {
    const worker = startWorker({ openSession, clock, schedule, instances: count, onGrant });
    workers.push(worker);
    return worker;
  }

  for (let index = 0; index < count; index += 1) start();

  return {
    workers,
    start,
    notices,
    now: () => now,
    async pass(ms) {
      const endsAt = now + ms;
      for (;;) {
        const [next] = timers.toSorted((a, b) => a.at - b.at);
        if (next === undefined || next.at > endsAt) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.run();
        await turn();
      }
      now = endsAt;
    },
    async deliverAll(except) {
      for (let isDelivered = true; isDelivered; ) {
        isDelivered = false;
        for (const worker of workers) {
          if (worker === except) continue;
          while (await worker.deliverToPrimary()) isDelivered = true;
          while (await worker.deliverToWorker()) isDelivered = true;
        }
      }
    },
  };
}

interface StartOptions {
  readonly openSession: OpenPrimarySession;
  readonly clock: { readonly now: () => number; readonly monotonic: () => number };
  readonly schedule: (run: () => void, delayMs: number) => unknown;
  readonly instances: number;
  readonly onGrant: (grant: Grant) => void;
}

function startWorker({ openSession, clock, schedule, instances, onGrant }: StartOptions): SimulatedWorker {
  const toPrimary: CallMessage[] = [];
  const toWorker: PrimaryMessage[] = [];
  const pending = new Map<number, (value: unknown) => void>();
  const listeners: ((notice: PrimaryNotice) => void)[] = [];
  let lastId = NO_RESULT;
  let isFailing = false;
  let isEnded = false;
  const server: CallServer = createCallServer(openSession, (message) => void toWorker.push(message));
  const primary: PrimaryState = {
    workers: instances,
    async call(name, args) {
      if (isFailing) return undefined;
      lastId += 1;
      const id = lastId;
      toPrimary.push([id, name, args]);
      return new Promise((resolve) => void pending.set(id, resolve));
    },
    report: (name, args) => void toPrimary.push([NO_RESULT, name, args]),
    onNotice: (listener) => void listeners.push(listener),
    publish() {},
    subscribe() {},
  };
  const buckets = createPrimaryBuckets({
    primary,
    local: createMemoryBuckets({ maxEntries: 1_000, clock }),
    clock,
    schedule(run, delayMs) {
      schedule(() => {
        if (!isEnded) run();
      }, delayMs);
    },
  });
  return {
    take(key, rate, points) {
      const taken = buckets.take(key, rate, points);
      // The primary receives the points of a refund that exceed those of the lease.
      const [, , sent] = taken instanceof Promise ? (toPrimary.at(-1) ?? []) : [];
      const leased = points - Number(sent?.[3] ?? 0);
      if (leased !== 0) onGrant({ key, points: leased, isFromLease: true });
      return taken;
    },
    async deliverToPrimary() {
      const message = toPrimary.shift();
      if (message !== undefined) server.receive(JSON.parse(JSON.stringify([message])) as readonly CallMessage[]);
      await turn();
      return message !== undefined;
    },
    async deliverToWorker() {
      const message = toWorker.shift();
      if (message?.type === 'results') {
        for (const notice of message.notices ?? []) for (const listener of listeners) listener(notice);
        for (const [id, value] of message.results) pending.get(id)?.(value);
      }
      await turn();
      return message !== undefined;
    },
    failCalls() {
      isFailing = true;
      for (const resolve of pending.values()) resolve(undefined);
    },
    dispose: () => buckets[Symbol.dispose](),
    async end() {
      isEnded = true;
      toPrimary.length = 0;
      toWorker.length = 0;
      server.end();
      await turn();
    },
  };
}
