import { describe, expect, it } from '@jest/globals';
import { noEdgeEvents } from '../../../../../gateway/platform/http/limits/edge-events.ts';
import { COUNTED_BYTES, createPendingResponses } from '../../../../../gateway/platform/http/limits/pending-responses.ts';

const BOUND = 10 * COUNTED_BYTES;

describe('messages that wait on connections', () => {
  function setUp() {
    let now = 0;
    const seen: string[] = [];
    const report = {
      ...noEdgeEvents,
      responseRejected: () => void seen.push('refused'),
      responseEvicted: () => void seen.push('evicted'),
    };
    const pending = createPendingResponses({ bounds: { total: BOUND, perAddress: BOUND }, report, clock: { monotonic: () => now } });
    const open = (name: string) => {
      const account = pending.open(name, () => {
        seen.push(`cut ${name}`);
        account.close();
      });
      return account;
    };
    return { open, seen, advance: (ms: number) => void (now += ms) };
  }

  it('accepts short messages at the limit', () => {
    const { open } = setUp();
    expect(open('a').admit(BOUND)).toBe(true);
    const other = open('b');
    expect(other.admit(COUNTED_BYTES - 1)).toBe(true);
    expect(other.admit(1)).toBe(false);
  });

  it('accepts a message after others were returned or their connection has ended', () => {
    const { open, seen } = setUp();
    const [first, second] = [open('a'), open('b')];
    first.admit(BOUND / 2);
    first.admit(BOUND / 2);
    expect(second.admit(BOUND / 2)).toBe(false);
    expect(seen).toEqual(['refused']);
    first.giveBack(BOUND / 2);
    expect(second.admit(BOUND / 2)).toBe(true);
    first.close();
    expect(second.admit(BOUND / 2)).toBe(true);
    second.giveBack(BOUND);
    expect(open('c').admit(BOUND)).toBe(true);
  });

  it('cuts a connection that made no progress for seconds, but not one that did', () => {
    const { open, seen, advance } = setUp();
    const [first, second] = [open('a'), open('b')];
    first.admit(BOUND);
    advance(5_000);
    first.giveBack(COUNTED_BYTES);
    expect(second.admit(BOUND)).toBe(false);
    advance(5_000);
    expect(second.admit(BOUND)).toBe(true);
    expect(seen).toEqual(['refused', 'evicted', 'cut a']);
    first.giveBack(BOUND - COUNTED_BYTES);
    expect(first.admit(1)).toBe(true);
    expect(open('c').admit(BOUND)).toBe(false);
  });

  it('rejects a message if making capacity for it cuts its own connection', () => {
    const { open, seen, advance } = setUp();
    const first = open('a');
    first.admit(BOUND);
    advance(5_000);
    expect(first.admit(BOUND)).toBe(false);
    expect(seen).toEqual(['evicted', 'cut a']);
    expect(open('b').admit(BOUND)).toBe(true);
  });
});
