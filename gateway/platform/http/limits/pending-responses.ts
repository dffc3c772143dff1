import type { OutgoingResponse } from '../response/outgoing-response.ts';
import type { Clock } from '../../clock.ts';
import { createSwapRemoveList, type SwapRemoveItem } from '../../swap-remove-list.ts';
import { type ByteBounds, type FreedBytes, createByteBudget } from './byte-budget.ts';
import type { LimitScope, EdgeEvents } from './edge-events.ts';

/** Responses that clients have not read yet, and pipelined requests that wait behind them. */
export interface PendingResponses {
  /**
   * Counts bytes of a response until they are released, the response is sent, or its connection is closed.
   *
   * @returns function that releases them; undefined if they do not fit even after responses that have been unread for long are evicted
   */
  admit(address: string, response: OutgoingResponse, bytes: number): (() => void) | undefined;
  /**
   * Whether a response of this size would fit now, including evictions of responses that have been unread for long. If not, the response is
   * reported as rejected.
   */
  hasCapacity(address: string, bytes: number): boolean;
  /**
   * Opens the account of a connection that carries many messages, such as a WebSocket.
   *
   * @param cut closes the connection to free capacity for others
   */
  open(address: string, cut: () => void): PendingMessages;
  /**
   * Counts a request that waits for its turn on a connection.
   *
   * @returns function that releases it; undefined if it does not fit
   */
  hold(address: string): (() => void) | undefined;
}

/**
 * Bytes of pending messages on one connection. Below `COUNTED_BYTES` they are counted only in this account, so that a message that the
 * kernel accepts immediately costs two additions. The limit on connections limits those bytes.
 */
export interface PendingMessages {
  /** Counts bytes that are about to be sent. @returns whether they fit; otherwise they are not counted */
  admit(bytes: number): boolean;
  /** Releases bytes that have been sent. */
  giveBack(bytes: number): void;
  /** Releases all bytes, because the connection is closed. Further bytes are not admitted. */
  close(): void;
}

export interface PendingResponsesOptions {
  readonly bounds: ByteBounds;
  readonly report: Pick<EdgeEvents, 'responseRejected' | 'responseEvicted' | 'pipelineRejected'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Pending extends SwapRemoveItem {
  readonly address: string;
  readonly bytes: number;
  /** Time at which it began to wait, or at which some of its bytes were last sent. @unit milliseconds */
  readonly since: number;
  cut(): void;
}

/** Minimum size of a body that is counted. The limit on connections limits shorter ones. @unit bytes */
export const COUNTED_BYTES = 16_384;

/** Minimum time for which a response must be unread before it can be evicted. @unit milliseconds */
const EVICTABLE_AFTER_MS = 2_000;

/** Approximate memory of a parsed request with its response object. @unit bytes */
const HELD_REQUEST_BYTES = 4_096;

export function createPendingResponses({ bounds, report, clock }: PendingResponsesOptions): PendingResponses {
  const budget = createByteBudget(bounds);
  const pending = createSwapRemoveList<Pending>();

  function release(one: Pending): void {
    if (pending.remove(one)) budget.give(one.address, one.bytes);
  }

  function boundOf(scope: LimitScope): number {
    return scope === 'total' ? bounds.total : bounds.perAddress;
  }

  /** Finds the response that has been unread for longest, among those that count toward the reached limit. */
  function longestUnread(address: string | undefined): Pending | undefined {
    const before = clock.monotonic() - EVICTABLE_AFTER_MS;
    let found: Pending | undefined;
    for (let index = 0; index < pending.size; index += 1) {
      const one = pending.at(index);
      if (one === undefined || one.since > before || (address !== undefined && one.address !== address)) continue;
      if (found === undefined || one.since < found.since) found = one;
    }
    return found;
  }

  function evictableBytes(address: string): FreedBytes {
    const before = clock.monotonic() - EVICTABLE_AFTER_MS;
    let [total, ofAddress] = [0, 0];
    for (let index = 0; index < pending.size; index += 1) {
      const one = pending.at(index);
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

  function makeCapacity(address: string, bytes: number): LimitScope | undefined {
    let scope = budget.take(address, bytes);
    while (scope !== undefined) {
      const victim = longestUnread(scope === 'address' ? address : undefined);
      if (victim === undefined) return scope;
      evict(victim);
      scope = budget.take(address, bytes);
    }
    return undefined;
  }

  /** Counts bytes, with evictions if necessary. @returns whether they fit; otherwise the rejection is reported */
  function enter(address: string, bytes: number): boolean {
    const scope = makeCapacity(address, bytes);
    return scope === undefined || rejected(address, scope);
  }

  function rejected(address: string, scope: LimitScope): false {
    report.responseRejected({ address, scope, limit: boundOf(scope) });
    return false;
  }

  /** Account of one connection. It is a class because there are ten thousand instances. */
  class Account implements PendingMessages, Pending {
    index: number | undefined = undefined;
    readonly address: string;
    /** Part of `#waiting` that is counted in the budget. @unit bytes */
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
      if (this.index !== undefined) this.#settle();
    }

    close(): void {
      this.#isOpen = false;
      release(this);
    }

    /** Counts the bytes that are not counted yet. The eviction may close this connection itself. */
    #count(waiting: number): boolean {
      const more = waiting - this.bytes;
      if (!this.#isOpen || !enter(this.address, more)) return false;
      if (!this.#isOpen) {
        budget.give(this.address, more);
        return false;
      }
      this.bytes = waiting;
      if (this.index !== undefined) return true;
      this.since = clock.monotonic();
      pending.add(this);
      return true;
    }

    /** Stops counting bytes that have been sent. */
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
    hasCapacity(address, bytes) {
      if (budget.exceeded(address, bytes) === undefined) return true;
      const scope = budget.exceeded(address, bytes, evictableBytes(address));
      return scope === undefined || rejected(address, scope);
    },
    open: (address, cut) => new Account(address, cut),
    admit(address, response, bytes) {
      if (!enter(address, bytes)) return undefined;
      const one: Pending = { index: undefined, address, bytes, since: clock.monotonic(), cut: () => void response.destroy() };
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
      report.pipelineRejected({ address, scope, limit: boundOf(scope) });
      return undefined;
    },
  };
}
