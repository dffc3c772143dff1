import { describe, expect, it } from '@jest/globals';
import { createMetricRegistry } from '../../../../../gateway/telemetry/metrics/metric-registry.ts';
import { toPrometheusText } from '../../../../../gateway/telemetry/metrics/prometheus-text.ts';

describe('the series of a metric', () => {
  it('are added to one series with _OTHER above the maximum', () => {
    const { metrics, collect } = createMetricRegistry(3);
    for (let index = 0; index < 10; index += 1) metrics.streamsEnded.add(1, 'sse', `reason ${index}`);
    const [collected] = collect();
    expect(collected?.points).toHaveLength(4);
    expect(collected?.points.at(-1)).toEqual({ labels: ['_OTHER', '_OTHER'], value: 7 });
  });

  it('are not collected before the first value', () => {
    expect(createMetricRegistry(10).collect()).toEqual([]);
  });

  it('are removed by clear, and counted again from zero', () => {
    const { metrics, collect } = createMetricRegistry(10);
    metrics.generationInfo.set(1, 'old');
    metrics.generationInfo.clear();
    metrics.generationInfo.set(1, 'new');
    expect(collect()).toEqual([{ name: 'gatefold.generation.info', points: [{ labels: ['new'], value: 1 }] }]);
  });

  it('are updated by observers when they are collected', () => {
    const { metrics, observe, collect } = createMetricRegistry(10);
    let alive = 1;
    observe(() => metrics.generationsActive.set(alive));
    collect();
    alive = 2;
    expect(collect()).toEqual([{ name: 'gatefold.generations.active', points: [{ labels: [], value: 2 }] }]);
  });
});

describe('the text for Prometheus', () => {
  it('escapes the values of labels', () => {
    const { metrics, collect } = createMetricRegistry(10);
    metrics.shed.add(1, 'a "b" \\ c\nd');
    expect(toPrometheusText(collect(), 'a"b')).toContain('target_info{service_name="a\\"b"} 1');
    expect(toPrometheusText(collect(), '')).toContain(String.raw`gatefold_requests_shed_total{reason="a \"b\" \\ c\nd"} 1`);
  });

  it('has cumulative buckets, of which the upper bound belongs to the bucket', () => {
    const { metrics, collect } = createMetricRegistry(10);
    for (const seconds of [0.005, 0.006, 20]) metrics.subgraphDuration.record(seconds, 'one', 'ok');
    const text = toPrometheusText(collect(), 'gatefold');
    const labels = 'gatefold_subgraph_name="one",gatefold_outcome="ok"';
    expect(text).toContain(`gatefold_subgraph_request_duration_seconds_bucket{${labels},le="0.005"} 1\n`);
    expect(text).toContain(`gatefold_subgraph_request_duration_seconds_bucket{${labels},le="0.01"} 2\n`);
    expect(text).toContain(`gatefold_subgraph_request_duration_seconds_bucket{${labels},le="10"} 2\n`);
    expect(text).toContain(`gatefold_subgraph_request_duration_seconds_bucket{${labels},le="+Inf"} 3\n`);
    expect(text).toContain(`gatefold_subgraph_request_duration_seconds_count{${labels}} 3\n`);
  });

  it('omits labels without a value', () => {
    const { metrics, collect } = createMetricRegistry(10);
    metrics.httpDuration.record(1, 'GET', '', '', 'other');
    expect(toPrometheusText(collect(), 'gatefold')).toContain(
      'http_server_request_duration_seconds_count{http_request_method="GET",gatefold_transport="other"} 1',
    );
  });
});
