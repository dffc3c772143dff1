import { ownerIdOf, principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** Runs equal work that is asked for by several at the same time once. */
export interface SingleFlight<T> {
  /**
   * @param key equal for equal work
   * @param clientGone somebody stops waiting: the work goes on for the others, and is stopped when nobody is left
   * @throws the reason of `clientGone`, and whatever the work throws
   */
  run(key: string, clientGone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface SingleFlightOptions {
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

export function createSingleFlight<T>({ maxAgeMs, now }: SingleFlightOptions): SingleFlight<T> {
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

/** What was decided about a request besides its variables. */
export interface FlightDecisions {
  readonly labels: readonly string[];
  /** About the caller's rights, which policies may decide otherwise for each request. */
  readonly access?: string | undefined;
}

/**
 * What the answer to an operation depends on besides the operation: equal for two requests that may share one answer.
 *
 * @param headerNames lower-case names of the headers that reach subgraphs
 */
export function flightKeyOf(
  { principal, headers, writes }: Pick<OperationRequest, 'principal' | 'headers' | 'writes'>,
  variables: Readonly<Record<string, unknown>>,
  { labels, access }: FlightDecisions,
  headerNames: 'all' | readonly string[],
): string {
  const { roles, scopes, claims } = principal;
  const names = headerNames === 'all' ? Object.keys(headers).sort() : headerNames;
  const sent = names.map((name) => [name, headers[name] ?? null]);
  const key = [
    ...(writes === undefined ? [] : [writes.flight]),
    variables,
    labels,
    principalKeyOf(principal),
    ownerIdOf(principal) ?? null,
    [...roles].sort(),
    [...scopes].sort(),
    claims,
    sent,
  ];
  return JSON.stringify(access === undefined ? key : [...key, access]);
}
