import { parser } from '@prometheus-io/lezer-promql';

/** Metrics that a PromQL expression selects. */
export interface PromqlMetrics {
  readonly names: readonly string[];
  /** Text from the first syntax error, or undefined if there is none. */
  readonly error: string | undefined;
}

/** Parses an expression of Prometheus or of a Grafana panel. */
export function metricsOf(expression: string): PromqlMetrics {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  let error: string | undefined;
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) error ??= text.slice(from);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(text.slice(from, to));
    },
  });
  return { names, error };
}
