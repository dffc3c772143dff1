import { describe, expect, it } from '@jest/globals';
import { type Draft, improveDraft } from '../../../../gateway/planning/improve-draft.ts';
import type { PlanSize } from '../../../../gateway/planning/least-size.ts';
import { NoPath } from '../../../../gateway/planning/planning-scope.ts';
import type { FetchGroup } from '../../../../gateway/planning/schedule-fetches.ts';

interface DraftInput extends Partial<Pick<Draft, 'steps' | 'isRepeatable'>> {
  readonly leastSize?: PlanSize;
  readonly taken?: readonly number[];
  readonly counts?: readonly number[];
  /** Number of requests of each wave. */
  readonly waves: readonly number[];
}

function draft({
  taken = [],
  counts = [],
  waves,
  steps = 10,
  isRepeatable = true,
  leastSize = { requests: 1, waves: 1 },
}: DraftInput): Draft {
  const groups: FetchGroup[] = [];
  for (const requests of waves) {
    const dependsOn = new Set(groups);
    for (let index = 0; index < requests; index += 1) {
      groups.push({ subgraph: 'a', kind: 'query', deferral: 0, members: [], dependsOn });
    }
  }
  return { groups, choices: { taken, counts: [...counts], until: 0 }, steps, isRepeatable, leastSize: () => leastSize };
}

describe('improveDraft', () => {
  it('chooses the alternative with the fewest waves, then the fewest requests', () => {
    const sizes: Readonly<Record<string, readonly number[]>> = { '1': [1, 2], '2': [1, 1], '0,1': [1, 1, 1], '2,1': [4], '2,2': [3] };
    const tried: string[] = [];
    const best = improveDraft(draft({ counts: [2, 2], waves: [1, 1, 1] }), (taken) => {
      tried.push(taken.join());
      return draft({ taken, counts: [2, 2], waves: sizes[taken.join()] ?? [9, 9, 9] });
    });
    expect(tried).toEqual(['1', '2', '2,1', '2,2']);
    expect(best.choices.taken).toEqual([2, 2]);
  });

  it('returns the first draft if no alternative can be planned', () => {
    const first = draft({ counts: [1], waves: [1, 1] });
    const reject = (): Draft => {
      throw new NoPath('fetch T.x');
    };
    expect(improveDraft(first, reject)).toBe(first);
  });

  it('throws other errors', () => {
    const fail = (): Draft => {
      throw new TypeError('Simulated defect.');
    };
    expect(() => improveDraft(draft({ counts: [1], waves: [1, 1] }), fail)).toThrow(new TypeError('Simulated defect.'));
  });

  it.each([
    ['that is too long', { counts: [1], waves: [1, 1], isRepeatable: false }],
    ['of one request', { counts: [1], waves: [1] }],
    ['of two requests at once', { counts: [1], waves: [2] }],
    ['without alternatives', { waves: [1, 1] }],
    ['of the least size', { counts: [1], waves: [1, 3], leastSize: { requests: 4, waves: 2 } }],
  ])('does not repeat a draft %s', (_which, input) => {
    const first = draft(input);
    const fail = (): Draft => {
      throw new TypeError('A draft was repeated.');
    };
    expect(improveDraft(first, fail)).toBe(first);
  });

  it.each([
    ['has more requests than the least size', { requests: 3, waves: 2 }],
    ['has more waves than the least size', { requests: 4, waves: 1 }],
  ])('repeats a draft that %s', (_which, leastSize) => {
    const better = draft({ taken: [1], counts: [1], waves: [1, 1] });
    expect(improveDraft(draft({ counts: [1], waves: [1, 3], leastSize }), () => better)).toBe(better);
  });

  it('limits the work for many choices', () => {
    let steps = 0;
    const counts = Array.from({ length: 100 }, () => 100);
    improveDraft(draft({ counts, waves: [1, 1], steps: 1_000 }), (taken) => {
      steps += 1_000;
      return draft({ taken, counts, waves: [1, 1], steps: 1_000 });
    });
    expect(steps).toBeLessThanOrEqual(10_000);
  });
});
