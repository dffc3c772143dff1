import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { logRejection } from '../../../../gateway/platform/log-rejection.ts';
import { createLogSampler } from '../../../../gateway/platform/log-sampler.ts';

function newSampler() {
  const lines: unknown[][] = [];
  let now = 0;
  const logger = { warn: (...line: unknown[]) => void lines.push(line) };
  const sampler = createLogSampler({ logger, clock: { monotonic: () => now } });
  return { lines, sampler, advance: (ms: number) => void (now += ms) };
}

describe('a log sampler', () => {
  it('writes one warning of a kind per minute, and counts the suppressed ones', () => {
    const { lines, sampler, advance } = newSampler();
    for (let count = 0; count < 1_000; count += 1) sampler.warn('budget', 'Rejected.', () => ({ count }));
    advance(59_999);
    sampler.warn('budget', 'Rejected.', () => ({ count: 1_000 }));
    expect(lines).toEqual([[{ count: 0 }, 'Rejected.']]);
    advance(1);
    sampler.warn('budget', 'Rejected.', () => ({ count: 1_001 }));
    expect(lines[1]).toEqual([{ count: 1_001, suppressed: 1_000 }, 'Rejected.']);
    advance(60_000);
    sampler.warn('budget', 'Rejected.', () => ({ count: 1_002 }));
    expect(lines[2]).toEqual([{ count: 1_002 }, 'Rejected.']);
  });

  it('writes warnings of different kinds independently', () => {
    const { lines, sampler } = newSampler();
    for (const kind of ['budget', 'cors', 'budget']) sampler.warn(kind, kind, () => ({}));
    expect(lines.map(([, message]) => message)).toEqual(['budget', 'cors']);
  });
});

describe('a rejection', () => {
  it.each([
    ['without a setting', new GatewayError('BAD_USER_INPUT', 'A variable is invalid.')],
    ['of another kind', new Error('broken')],
  ])('%s is not logged', (_what, error) => {
    const { lines, sampler } = newSampler();
    logRejection(sampler, error, { caller: 'anonymous' });
    expect(lines).toEqual([]);
  });

  it('is logged with its setting, the kind of the caller and a shortened name of the operation', () => {
    const { lines, sampler } = newSampler();
    const error = new GatewayError('DEPTH_LIMIT_EXCEEDED', 'Too deep.', { setting: 'limits.maxDepth' });
    logRejection(sampler, error, { caller: 'user', operation: 'N'.repeat(5_000) });
    const facts = {
      setting: 'limits.maxDepth',
      code: 'DEPTH_LIMIT_EXCEEDED',
      caller: 'user',
      operation: 'N'.repeat(100),
      reason: 'Too deep.',
    };
    expect(lines).toEqual([[facts, 'A request was rejected. The setting limits.maxDepth decides.']]);
  });
});
