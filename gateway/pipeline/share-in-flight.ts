/** Runs equal work that is asked for by several at the same time once. */
export interface InFlight<T> {
  /**
   * @param key equal for equal work
   * @param clientGone somebody stops waiting: the work goes on for the others, and is stopped when nobody is left
   * @throws the reason of `clientGone`, and whatever the work throws
   */
  run(key: string, clientGone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface InFlightOptions {
  /** Work that began longer ago is not joined: its time is nearly over. @unit milliseconds */
  readonly maxAgeMs: number;
  /** @unit milliseconds since an arbitrary start */
  readonly now: () => number;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly startedAt: number;
  waiting: number;
}

export function createInFlight<T>({ maxAgeMs, now }: InFlightOptions): InFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { result: work(controller.signal), controller, startedAt: now(), waiting: 0 };
    const end = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(end, end);
    flights.set(key, flight);
    return flight;
  }

  function leave(key: string, flight: Flight<T>, reason: unknown): void {
    flight.waiting -= 1;
    if (flight.waiting > 0) return;
    if (flights.get(key) === flight) flights.delete(key); // nobody may join what is being stopped
    flight.controller.abort(reason);
  }

  return {
    async run(key, clientGone, work) {
      clientGone.throwIfAborted();
      const known = flights.get(key);
      const flight = known !== undefined && now() - known.startedAt < maxAgeMs ? known : start(key, work);
      flight.waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const giveUp = (): void => {
          reject(clientGone.reason as Error);
          leave(key, flight, clientGone.reason);
        };
        clientGone.addEventListener('abort', giveUp, { once: true });
        const stopListening = (): void => clientGone.removeEventListener('abort', giveUp);
        flight.result.then(
          (value) => {
            stopListening();
            resolve(value);
          },
          (error: unknown) => {
            stopListening();
            reject(error);
          },
        );
      });
    },
  };
}
