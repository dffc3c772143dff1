import type { MetricDefinition } from './metric-catalog.ts';

const UNITS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** Returns the name of a metric in Prometheus, by the rules of OpenTelemetry: underscores, the unit, and `_total` for counters. */
export function prometheusNameOf({ name, unit, kind }: Pick<MetricDefinition, 'name' | 'unit' | 'kind'>): string {
  const suffix = UNITS[unit] ?? (unit === '1' && kind === 'gauge' ? '_ratio' : '');
  return `${prometheusLabelOf(name)}${suffix}${kind === 'counter' ? '_total' : ''}`;
}

/** Returns the name of a label in Prometheus. */
export function prometheusLabelOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_:]/g, '_');
}
