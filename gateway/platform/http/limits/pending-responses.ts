import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { createMembers, type Member } from '../../swap-remove-list.ts';
import { type ByteBounds, type FreedBytes, createByteBudget } from './byte-budget.ts';
import type { BoundScope, EdgeEvents } from './edge-events.ts';

/** Responses that are written and not read yet, and requests that wait behind them. */
export interface PendingResponses {
  /**
   * Counts bytes of a response until they are given back, the response is sent, or its connection is closed.
   *
   * @returns what gives them back; undefined when they do not fit, even in place of responses that have been unread for long
   */
  admit(address: string, response: ServerResponse, bytes: number): (() => void) | undefined;
  /**
   * Tells whether a response of so many bytes would fit now, in place of responses that have been unread for long too. One that would not is
   * reported as refused.
   */
  hasRoom(address: string, bytes: number): boolean;
  /**
   * Opens the account of a connection that carries many messages, such as a WebSocket.
   *
   * @param cut closes the connection to make room for others
   */
  open(address: string, cut: () => void): PendingMessages;
  /**
   * Counts a request that waits for its turn on a connection.
   *
   * @returns what gives it back; undefined when it does not fit
   */
  hold(address: string): (() => void) | undefined;
}

/**
 * Bytes of messages that wait on one connection. Below `COUNTED_BYTES` they stand in this account alone, so that a message which the kernel
 * takes at once costs two additions; the bound on connections bounds those.
 */
export interface PendingMessages {
  /** Counts bytes that are about to be sent. @returns whether they fit; they are not counted if not */
  admit(bytes: number): boolean;
  /** Gives back bytes that have been sent. */
  giveBack(bytes: number): void;
  /** Gives everything back: the connection is closed. Nothing fits after that. */
  close(): void;
}

export interface PendingResponsesOptions {
  readonly bounds: ByteBounds;
  readonly report: Pick<EdgeEvents, 'responseRefused' | 'responseEvicted' | 'pipelineRefused'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Pending extends Member {
  readonly address: string;
  readonly bytes: number;
  /** When it began to wait, or bytes of it were last sent. @unit milliseconds */
  readonly since: number;
  cut(): void;
}

/** Shorter bodies are not counted: the bound on connections bounds them. @unit bytes */
export const COUNTED_BYTES = 16_384;

/** A response that has been unread for less time is not given up for others. @unit milliseconds */
const EVICTABLE_AFTER_MS = 2_000;

/** About what a parsed request with its response object retains. @unit bytes */
const HELD_REQUEST_BYTES = 4_096;

export function createPendingResponses({ bounds, report, clock }: PendingResponsesOptions): PendingResponses {
  const budget = createByteBudget(bounds);
  const pending = createMembers<Pending>();

  function release(one: Pending): void {
    if (pending.remove(one)) budget.give(one.address, one.bytes);
  }

  function boundOf(scope: BoundScope): number {
    return scope === 'total' ? bounds.total : bounds.perAddress;
  }

  /** Among those that count against the bound that was reached. */
  function longestUnread(address: string | undefined): Pending | undefined {
    const before = clock.monotonic() - EVICTABLE_AFTER_MS;
    let found: Pending | undefined;
    for (let place = 0; place < pending.size; place += 1) {
      const one = pending.at(place);
      if (one === undefined || one.since > before || (address !== undefined && one.address !== address)) continue;
      if (found === undefined || one.since < found.since) found = one;
    }
    return found;
  }

  function evictableBytes(address: string): FreedBytes {
    const before = clock.monotonic() - EVICTABLE_AFTER_MS;
    let [total, ofAddress] = [0, 0];
    for (let place = 0; place < pending.size; place += 1) {
      const one = pending.at(place);
      if (one === undefined || one.since > before) continue;
      total += one.bytes;
      if (one.address === address) ofAddress += one.bytes;
    }
    return { total, ofAddress };
  }

  function evict(one: Pending): void {
    report.responseEvicted({ address: one.address, bytes: one.bytes });
    release(one);
    one.cut();
  }

  function makeRoom(address: string, bytes: number): BoundScope | undefined {
    let scope = budget.take(address, bytes);
    while (scope !== undefined) {
      const victim = longestUnread(scope === 'address' ? address : undefined);
      if (victim === undefined) return scope;
      evict(victim);
      scope = budget.take(address, bytes);
    }
    return undefined;
  }

  /** @returns whether there is room now; reported if not */
  function enter(address: string, bytes: number): boolean {
    const scope = makeRoom(address, bytes);
    return scope === undefined || refused(address, scope);
  }

  function refused(address: string, scope: BoundScope): false {
    report.responseRefused({ address, scope, limit: boundOf(scope) });
    return false;
  }

  /** A class, because there are ten thousand of them. */
  class Account implements PendingMessages, Pending {
    place: number | undefined = undefined;
    readonly address: string;
    /** What is counted of `#waiting`. @unit bytes */
    bytes = 0;
    since = 0;
    readonly #cutConnection: () => void;
    #waiting = 0;
    #isOpen = true;

    constructor(address: string, cut: () => void) {
      this.address = address;
      this.#cutConnection = cut;
    }

    cut(): void {
      this.#isOpen = false;
      this.#cutConnection();
    }

    admit(bytes: number): boolean {
      const waiting = this.#waiting + bytes;
      if (waiting >= COUNTED_BYTES && !this.#count(waiting)) return false;
      this.#waiting = waiting;
      return true;
    }

    giveBack(bytes: number): void {
      this.#waiting -= bytes;
      if (this.place !== undefined) this.#settle();
    }

    close(): void {
      this.#isOpen = false;
      release(this);
    }

    /** Counts what is not counted yet of so many bytes. It may be cut itself to make room, and is closed then. */
    #count(waiting: number): boolean {
      const more = waiting - this.bytes;
      if (!this.#isOpen || !enter(this.address, more)) return false;
      if (!this.#isOpen) {
        budget.give(this.address, more);
        return false;
      }
      this.bytes = waiting;
      if (this.place !== undefined) return true;
      this.since = clock.monotonic();
      pending.add(this);
      return true;
    }

    /** Stops counting what has been sent. */
    #settle(): void {
      if (this.#waiting < COUNTED_BYTES) {
        release(this);
        this.bytes = 0;
        return;
      }
      budget.give(this.address, this.bytes - this.#waiting);
      this.bytes = this.#waiting;
      this.since = clock.monotonic();
    }
  }

  return {
    hasRoom(address, bytes) {
      if (budget.exceeded(address, bytes) === undefined) return true;
      const scope = budget.exceeded(address, bytes, evictableBytes(address));
      return scope === undefined || refused(address, scope);
    },
    open: (address, cut) => new Account(address, cut),
    admit(address, response, bytes) {
      if (!enter(address, bytes)) return undefined;
      const one: Pending = { place: undefined, address, bytes, since: clock.monotonic(), cut: () => void response.destroy() };
      pending.add(one);
      const giveBack = (): void => {
        response.off('close', giveBack);
        release(one);
      };
      response.once('close', giveBack);
      return giveBack;
    },
    hold(address) {
      const scope = budget.take(address, HELD_REQUEST_BYTES);
      if (scope === undefined) return () => budget.give(address, HELD_REQUEST_BYTES);
      report.pipelineRefused({ address, scope, limit: boundOf(scope) });
      return undefined;
    },
  };
}
