import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { ATTRIBUTES } from '../../../gateway/telemetry/catalog/attribute-catalog.ts';
import { METRICS, type MetricDefinition } from '../../../gateway/telemetry/catalog/metric-catalog.ts';
import { SPANS } from '../../../gateway/telemetry/catalog/span-catalog.ts';
import { prometheusNameOf } from '../../../gateway/telemetry/catalog/prometheus-name.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `${GENERATED}

# Metrics and spans

All metrics and spans of the gateway. [Telemetry](../operate/telemetry.md) describes how to switch them on.

- [Metrics](#metrics)
- [Buckets](#buckets)
- [Spans](#spans)
- [Attributes](#attributes)

The names of HTTP are those of the stable OpenTelemetry conventions. The names of GraphQL are those of the draft in
[pull request 3515](https://github.com/open-telemetry/semantic-conventions/pull/3515) of the conventions, as of
July 2026. With \`telemetry.graphqlConventions: released\`, metrics and attributes that only the draft defines are
absent, and spans have the names of the last column.

## Metrics

The labels of Prometheus have underscores instead of dots. A label without a value is absent. Histograms have the
suffixes \`_bucket\`, \`_sum\` and \`_count\` in Prometheus.
`;

const BUCKETS = `
## Buckets

Upper bounds of the buckets of histograms.
`;

const SPANS_TEXT = `
## Spans

The spans of a request over HTTP are children of its first span, and those of an operation are children of the span of
the operation. Requests to subgraphs are children of the execution. The first span is a child of the span that the
client has sent in \`traceparent\`.
`;

const ATTRIBUTES_TEXT = `
## Attributes
`;

/** Generates `docs/reference/telemetry.md` from the catalog of metrics and spans. */
export function generateTelemetryPage(root: string = packageRoot): GeneratedFile {
  const metrics = Object.values<MetricDefinition>(METRICS);
  const text = [
    INTRODUCTION,
    table(
      ['metric', 'Prometheus', 'type', 'unit', 'labels', 'meaning'],
      metrics.map((metric) => [
        `\`${metric.name}\``,
        `\`${prometheusNameOf(metric)}\``,
        metric.kind,
        metric.unit === '' ? '' : `\`${metric.unit}\``,
        codes(metric.labels),
        metric.isDraft === true ? `${metric.description} Only in the draft.` : metric.description,
      ]),
    ),
    BUCKETS,
    table(
      ['metric', 'bounds'],
      metrics.flatMap(({ name, buckets }) => (buckets === undefined ? [] : [[`\`${name}\``, buckets.join(', ')]])),
    ),
    SPANS_TEXT,
    table(
      ['span', 'kind', 'meaning', 'always', 'if known', 'released name'],
      SPANS.map(({ name, kind, description, required, optional, releasedName = name }) => [
        `\`${name}\``,
        kind,
        description,
        codes(required),
        codes(optional),
        `\`${releasedName}\``,
      ]),
    ),
    ATTRIBUTES_TEXT,
    table(
      ['attribute', 'meaning'],
      ATTRIBUTES.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
  ];
  return { path: join(root, 'docs/reference/telemetry.md'), text: `${text.join('\n')}\n` };
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
