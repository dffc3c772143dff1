import { describe, expect, it } from '@jest/globals';
import { createSelectLabels } from '../../../../../gateway/pipeline/stages/override-labels.ts';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';
import { requestFor } from '../../../../support/gateway/new-pipeline.ts';

const asUser = (id: string, correlationId = 'trace') =>
  requestFor('{ me { id } }', { principal: { ...ANONYMOUS, kind: 'user', id }, correlationId });

describe('createSelectLabels', () => {
  it('rejects when the hook fails', async () => {
    const decide = createSelectLabels(() => Promise.reject(new Error('Feature flags are unavailable.')));
    await expect(decide({ labels: ['late'] }, asUser('1'))).rejects.toThrow('Feature flags are unavailable.');
  });

  it('disables labels that are not percentages without a hook', () => {
    expect(createSelectLabels(undefined)({ labels: ['late', 'percent(x)', 'percent(101)'] }, asUser('1'))).toEqual([]);
  });

  it('calls the hook only with undecided labels and ignores other names in its result', async () => {
    const heard: unknown[] = [];
    const decide = createSelectLabels(async (labels) => {
      heard.push(labels);
      return ['b', 'unknown', 'percent(0)'];
    });
    expect(await decide({ labels: ['percent(100)', 'a', 'b', 'percent(0)'] }, asUser('1'))).toEqual(['percent(100)', 'b']);
    expect(heard).toEqual([['a', 'b']]);
  });

  it('does not call the hook for percentages', () => {
    const decide = createSelectLabels(() => {
      throw new Error('The hook was called.');
    });
    expect(decide({ labels: ['percent(0)', 'percent(100)'] }, asUser('1'))).toEqual(['percent(100)']);
  });

  it('makes the same decision for every request of a caller', () => {
    const decide = createSelectLabels(undefined);
    const responses = Array.from({ length: 50 }, (_, index) => decide({ labels: ['percent(50)'] }, asUser('someone', `trace-${index}`)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  });

  it('decides per request for callers without credentials', () => {
    const decide = createSelectLabels(undefined);
    const request = (correlationId: string) =>
      JSON.stringify(decide({ labels: ['percent(50)'] }, requestFor('{ me { id } }', { correlationId })));
    expect(new Set(Array.from({ length: 50 }, () => request('one'))).size).toBe(1);
    expect(new Set(Array.from({ length: 50 }, (_, index) => request(`trace-${index}`))).size).toBe(2);
  });

  it.each([1, 12.5, 50, 99])('enables percent(%d) for about that share of callers', (percent) => {
    const decide = createSelectLabels(undefined);
    const label = `percent(${percent})`;
    const callers = 20_000;
    const on = Array.from({ length: callers }, (_, index) => decide({ labels: [label] }, asUser(`user-${index}`))).filter(
      (labels) => (labels as string[]).length > 0,
    );
    expect(Math.abs((on.length / callers) * 100 - percent)).toBeLessThan(1.5);
  });
});
