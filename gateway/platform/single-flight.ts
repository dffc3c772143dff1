/** Executes equal work that several callers request at the same time once. */
export interface SingleFlight<T> {
  /**
   * @param key equal for equal work
   * @param signal aborted when this caller stops waiting: the work goes on for the others, and is stopped when nobody is left
   * @throws the reason of `signal`, and whatever the work throws
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface SingleFlightOptions<T> {
  /** Work that began longer ago is not joined: its time is nearly over. @unit milliseconds @defaultValue every work that runs is joined */
  readonly maxAgeMs?: number;
  /** Monotonic clock. @unit milliseconds since an arbitrary start */
  readonly now: () => number;
  /** Calls back when a signal is aborted, until the returned function is called. @defaultValue listens to the signal */
  readonly watch?: (signal: AbortSignal, onAbort: () => void) => () => void;
  /** Makes a result for each caller of the one result. An error that it throws is that of the work. @defaultValue all get the same result */
  readonly share?: (result: T, callers: number) => readonly T[];
}

interface Waiter<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

interface Flight<T> {
  readonly waiters: Set<Waiter<T>>;
  readonly controller: AbortController;
  readonly startedAt: number;
}

export function createSingleFlight<T>(options: SingleFlightOptions<T>): SingleFlight<T> {
  const { maxAgeMs = Number.POSITIVE_INFINITY, now, watch = listen, share } = options;
  const flights = new Map<string, Flight<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight: Flight<T> = { waiters: new Set(), controller: new AbortController(), startedAt: now() };
    flights.set(key, flight);
    work(flight.controller.signal).then(
      (result) => {
        remove(key, flight);
        deliver(result, [...flight.waiters]);
      },
      (error: unknown) => {
        remove(key, flight);
        for (const waiter of flight.waiters) waiter.reject(error);
      },
    );
    return flight;
  }

  /** Makes the results of all callers before the first one goes on with its result. */
  function deliver(result: T, waiters: readonly Waiter<T>[]): void {
    let results: readonly T[] | undefined;
    try {
      if (waiters.length > 1) results = share?.(result, waiters.length);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
      return;
    }
    for (const [index, waiter] of waiters.entries()) waiter.resolve(results?.[index] ?? result);
  }

  function remove(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    run(key, signal, work) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const known = flights.get(key);
      const flight = known !== undefined && now() - known.startedAt < maxAgeMs ? known : start(key, work);
      return new Promise<T>((resolve, reject) => {
        const unwatch = watch(signal, () => {
          waiter.reject(signal.reason);
          if (flight.waiters.size > 0) return;
          remove(key, flight); // nobody may join what is being stopped
          flight.controller.abort(signal.reason);
        });
        const waiter: Waiter<T> = {
          resolve(result) {
            leave();
            resolve(result);
          },
          reject(error) {
            leave();
            reject(error);
          },
        };
        function leave(): void {
          unwatch();
          flight.waiters.delete(waiter);
        }
        flight.waiters.add(waiter);
      });
    },
  };
}

function listen(signal: AbortSignal, onAbort: () => void): () => void {
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
