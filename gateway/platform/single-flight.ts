/** Executes identical work that several callers request concurrently only once. */
export interface SingleFlight<T> {
  /**
   * Runs the work, or joins the same work in progress.
   *
   * @param key equal for identical work
   * @param signal aborted when this caller stops waiting; the work continues for the others, and is aborted when no caller is left
   * @throws the reason of `signal`, and any error of the work
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface SingleFlightOptions<T> {
  /** Maximum age of work that can be joined, because older work is close to its deadline. @unit milliseconds @defaultValue no limit */
  readonly maxAgeMs?: number;
  /** Returns the time of a monotonic clock. @unit milliseconds since an arbitrary start */
  readonly now: () => number;
  /** Calls `onAbort` when a signal is aborted, until the returned function is called. @defaultValue adds a listener to the signal */
  readonly watch?: (signal: AbortSignal, onAbort: () => void) => () => void;
  /**
   * Creates one result per caller from the shared result. An error that it throws counts as an error of the work.
   *
   * @defaultValue all callers get the same result
   */
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

  /** Creates the results of all callers before the first caller continues with its result. */
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
          remove(key, flight); // No further caller may join work that is being aborted.
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
