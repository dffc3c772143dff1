import { describe, expect, it } from '@jest/globals';
import { createMergedMetrics } from '../../../../../gateway/http/primary/collect-metrics.ts';

const source = (number: number, text: string | undefined) => ({ number, collectMetrics: async () => text });

const textOf = (requests: number, open: number, fast: number) => `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a \\"b\\", {c}",method="GET"} ${requests}
# TYPE open gauge
open ${open} 1700000000000
# TYPE seconds histogram
seconds_bucket{le="0.1"} ${fast}
seconds_bucket{le="+Inf"} ${requests}
seconds_sum 1.5
seconds_count ${requests}
`;

describe('metrics of several workers', () => {
  it('are absent when no worker has metrics', async () => {
    expect(await createMergedMetrics().collect([source(1, undefined), source(2, undefined)], [])).toBeUndefined();
  });

  it('add counters and histograms, and name the worker of all other values', async () => {
    const own = { name: 'workers', type: 'gauge', help: undefined, samples: [{ name: 'workers', labels: [], value: 2 }] };
    const text = await createMergedMetrics().collect([source(1, textOf(3, 5, 1)), source(2, textOf(4, 6, 2))], [own]);
    expect(text?.split('\n')).toEqual([
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{method="GET",route="/a \\"b\\", {c}"} 7',
      '# TYPE open gauge',
      'open{worker="1"} 5',
      'open{worker="2"} 6',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.1"} 3',
      'seconds_bucket{le="+Inf"} 7',
      'seconds_sum 3',
      'seconds_count 7',
      '# TYPE workers gauge',
      'workers 2',
      '',
    ]);
  });

  it('never decrease when a worker ends and another one takes its number', async () => {
    const merged = createMergedMetrics();
    await merged.collect([source(1, textOf(3, 5, 1))], []);
    merged.retain({ number: 1 });
    const text = await merged.collect([source(1, textOf(1, 0, 0))], []);
    expect(text).toContain('requests_total{method="GET",route="/a \\"b\\", {c}"} 4\n');
    expect(text).toContain('open{worker="1"} 0\n');
    expect(text).not.toContain('worker="0"');
  });

  it('use the last values of a worker that does not respond', async () => {
    const merged = createMergedMetrics();
    await merged.note(source(1, textOf(3, 5, 1)));
    expect(await merged.collect([source(1, undefined)], [])).toContain('seconds_count 3\n');
  });

  it('fill the bounds that another worker lacks, so that no larger bucket counts less', async () => {
    const one = '# TYPE s histogram\ns_bucket{le="1"} 2\ns_bucket{le="+Inf"} 3\n';
    const other = '# TYPE s histogram\ns_bucket{le="1"} 1\ns_bucket{le="5"} 4\ns_bucket{le="+Inf"} 4\n';
    const text = await createMergedMetrics().collect([source(1, one), source(2, other)], []);
    expect(text).toContain('s_bucket{le="1"} 3\ns_bucket{le="5"} 6\ns_bucket{le="+Inf"} 7\n');
  });

  it('retain a bounded number of series of ended workers', async () => {
    const merged = createMergedMetrics(1);
    await merged.note(source(1, '# TYPE a_total counter\na_total{x="1"} 1\na_total{x="2"} 1\n'));
    merged.retain({ number: 1 });
    const text = await merged.collect([source(2, '# TYPE a_total counter\na_total{x="1"} 1\n')], []);
    expect(text).toContain('a_total{x="1"} 2\n');
    expect(text).not.toContain('x="2"');
  });
});
