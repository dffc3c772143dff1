import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { createMembers, type Member } from '../../members.ts';
import { type ByteBounds, createByteBudget } from './byte-budget.ts';
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
   * Counts a request that waits for its turn on a connection.
   *
   * @returns what gives it back; undefined when it does not fit
   */
  hold(address: string): (() => void) | undefined;
}

export interface PendingResponsesOptions {
  readonly bounds: ByteBounds;
  readonly report: Pick<EdgeEvents, 'responseRefused' | 'responseEvicted' | 'pipelineRefused'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Pending extends Member {
  readonly address: string;
  readonly response: ServerResponse;
  readonly bytes: number;
  readonly since: number;
}

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

  function evict(one: Pending): void {
    report.responseEvicted({ address: one.address, bytes: one.bytes });
    release(one);
    one.response.destroy();
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

  return {
    admit(address, response, bytes) {
      const scope = makeRoom(address, bytes);
      if (scope !== undefined) {
        report.responseRefused({ address, scope, limit: boundOf(scope) });
        return undefined;
      }
      const one: Pending = { place: undefined, address, response, bytes, since: clock.monotonic() };
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
