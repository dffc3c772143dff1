import type { Payload } from './read-payloads.ts';

/** A received payload. */
export interface LoggedPayload {
  /** Position in the response, from 1. */
  readonly number: number;
  readonly receivedAt: Date;
  /** The payload as JSON. GraphiQL merges later payloads into the object of the first one. */
  readonly text: string;
}

/** Payloads of the operation that was started last. The editor shows only the latest event of a subscription. */
export interface PayloadLog {
  /** Begins the payloads of another operation. @returns a function that records a payload of it; it has no effect after the next `start` */
  start(): (payload: Payload) => void;
  /** Returns the recorded payloads, oldest first. The array is replaced at each change. */
  read(): readonly LoggedPayload[];
  /** Calls a function after each change. @returns a function that ends this */
  subscribe(listener: () => void): () => void;
}

/** Maximum number of recorded payloads. Older ones are discarded. @unit payloads */
const MAX_PAYLOADS = 50;

export function createPayloadLog(): PayloadLog {
  let payloads: readonly LoggedPayload[] = [];
  let operation = 0;
  const listeners = new Set<() => void>();
  const change = (next: readonly LoggedPayload[]): void => {
    payloads = next;
    for (const listener of listeners) listener();
  };
  return {
    start() {
      operation += 1;
      const own = operation;
      let count = 0;
      change([]);
      return (payload) => {
        if (own !== operation) return;
        count += 1;
        change([...payloads, { number: count, receivedAt: new Date(), text: JSON.stringify(payload, undefined, 2) }].slice(-MAX_PAYLOADS));
      };
    },
    read: () => payloads,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
