import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createCallerPauses } from '../../../../../gateway/planning/worker/caller-pauses.ts';

const names = (callers: ReadonlySet<string> | undefined): readonly string[] => [...(callers ?? [])].sort();

describe('createCallerPauses', () => {
  it('includes a paused caller until its pause ends, and reports the end once', async () => {
    let ended = 0;
    const pauses = createCallerPauses(() => {
      ended += 1;
    });
    expect(pauses.withPaused()).toBeUndefined();
    pauses.begin(new Set(['a']), 10);
    pauses.begin(new Set(['a']), 20);
    expect(names(pauses.withPaused())).toEqual(['a']);
    expect(names(pauses.withPaused(new Set(['b'])))).toEqual(['a', 'b']);
    while (pauses.withPaused() !== undefined) await pause(1);
    expect(ended).toBe(1);
    await pause(30);
    expect(ended).toBe(1);
  });

  it('pauses no caller of an operation that several callers waited for', () => {
    const pauses = createCallerPauses(() => undefined);
    pauses.begin(new Set(['a', 'b']), 1_000);
    expect(pauses.withPaused()).toBeUndefined();
  });

  it('pauses no caller and reports nothing after all pauses are ended', async () => {
    let ended = 0;
    const pauses = createCallerPauses(() => {
      ended += 1;
    });
    for (const caller of ['a', 'b']) pauses.begin(new Set([caller]), 5);
    pauses.end();
    expect(pauses.withPaused()).toBeUndefined();
    await pause(20);
    expect(ended).toBe(0);
  });
});
