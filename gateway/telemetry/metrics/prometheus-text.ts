import { METRICS, type MetricDefinition } from '../catalog/metric-catalog.ts';
import { prometheusLabelOf, prometheusNameOf } from '../catalog/prometheus-name.ts';
import type { CollectedMetric, HistogramValue } from './metric-registry.ts';

/** Content type of the text format of Prometheus. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const TYPES = { histogram: 'histogram', counter: 'counter', updowncounter: 'gauge', gauge: 'gauge' } as const;

const DEFINITIONS: ReadonlyMap<string, MetricDefinition> = new Map(
  Object.values<MetricDefinition>(METRICS).map((definition) => [definition.name, definition]),
);

/** Prints metrics in the text format of Prometheus. */
export function toPrometheusText(collected: readonly CollectedMetric[], serviceName: string): string {
  const lines = [
    '# HELP target_info Target metadata',
    '# TYPE target_info gauge',
    `target_info{service_name="${escapeLabel(serviceName)}"} 1`,
  ];
  for (const { name, points } of collected) {
    const definition = DEFINITIONS.get(name);
    if (definition === undefined) continue;
    const printed = prometheusNameOf(definition);
    lines.push(`# HELP ${printed} ${definition.description.replaceAll('\n', ' ')}`, `# TYPE ${printed} ${TYPES[definition.kind]}`);
    for (const { labels, value, histogram } of points) {
      const pairs = printLabels(definition.labels, labels);
      if (histogram === undefined) lines.push(`${printed}${braced(pairs)} ${String(value)}`);
      else lines.push(...printHistogram(printed, pairs, definition.buckets ?? [], histogram));
    }
  }
  return `${lines.join('\n')}\n`;
}

function printHistogram(
  name: string,
  pairs: readonly string[],
  buckets: readonly number[],
  { counts, sum, count }: HistogramValue,
): readonly string[] {
  let below = 0;
  const bounds = buckets.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket${braced([...pairs, `le="${bound}"`])} ${below}`;
  });
  return [
    ...bounds,
    `${name}_bucket${braced([...pairs, 'le="+Inf"'])} ${count}`,
    `${name}_sum${braced(pairs)} ${sum}`,
    `${name}_count${braced(pairs)} ${count}`,
  ];
}

function printLabels(names: readonly string[], values: readonly string[]): readonly string[] {
  return names.flatMap((name, index) => {
    const value = values[index] ?? '';
    return value === '' ? [] : [`${prometheusLabelOf(name)}="${escapeLabel(value)}"`];
  });
}

function braced(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`);
}
