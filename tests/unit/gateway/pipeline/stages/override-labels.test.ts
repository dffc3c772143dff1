import { describe, expect, it } from '@jest/globals';
import { createSelectLabels } from '../../../../../gateway/pipeline/stages/override-labels.ts';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';
import { requestFor } from '../../../../support/gateway/new-pipeline.ts';

const asUser = (id: string, correlationId = 'trace') =>
  requestFor('{ me { id } }', { principal: { ...ANONYMOUS, kind: 'user', id }, correlationId });

describe('createSelectLabels', () => {
  it('given a hook that fails, when asked, then so does the request', async () => {
    const decide = createSelectLabels(() => Promise.reject(new Error('no flags today')));
    await expect(decide({ labels: ['late'] }, asUser('1'))).rejects.toThrow('no flags today');
  });

  it('given no hook, when asked for labels that are no percentages, then they are off', () => {
    expect(createSelectLabels(undefined)({ labels: ['late', 'percent(x)', 'percent(101)'] }, asUser('1'))).toEqual([]);
  });

  it('given a hook, when asked, then it hears only what is not decided already, and names that it was not asked for do not count', async () => {
    const heard: unknown[] = [];
    const decide = createSelectLabels(async (labels) => {
      heard.push(labels);
      return ['b', 'unknown', 'percent(0)'];
    });
    expect(await decide({ labels: ['percent(100)', 'a', 'b', 'percent(0)'] }, asUser('1'))).toEqual(['percent(100)', 'b']);
    expect(heard).toEqual([['a', 'b']]);
  });

  it('given only percentages, when asked, then the hook is not', () => {
    const decide = createSelectLabels(() => {
      throw new Error('asked');
    });
    expect(decide({ labels: ['percent(0)', 'percent(100)'] }, asUser('1'))).toEqual(['percent(100)']);
  });

  it('given a caller, when asked again, then the answer is the same, whatever the request', () => {
    const decide = createSelectLabels(undefined);
    const answers = Array.from({ length: 50 }, (_, index) => decide({ labels: ['percent(50)'] }, asUser('someone', `trace-${index}`)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('given callers without credentials, when asked, then a request is decided alike and requests are not', () => {
    const decide = createSelectLabels(undefined);
    const ask = (correlationId: string) =>
      JSON.stringify(decide({ labels: ['percent(50)'] }, requestFor('{ me { id } }', { correlationId })));
    expect(new Set(Array.from({ length: 50 }, () => ask('one'))).size).toBe(1);
    expect(new Set(Array.from({ length: 50 }, (_, index) => ask(`trace-${index}`))).size).toBe(2);
  });

  it.each([1, 12.5, 50, 99])('given percent(%d) and many callers, when asked, then about that share has it on', (percent) => {
    const decide = createSelectLabels(undefined);
    const label = `percent(${percent})`;
    const callers = 20_000;
    const on = Array.from({ length: callers }, (_, index) => decide({ labels: [label] }, asUser(`user-${index}`))).filter(
      (labels) => (labels as string[]).length > 0,
    );
    expect(Math.abs((on.length / callers) * 100 - percent)).toBeLessThan(1.5);
  });
});
