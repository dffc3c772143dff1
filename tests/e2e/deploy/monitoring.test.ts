import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { anchorOf } from '../../../docs/.vitepress/anchors.ts';
import { METRICS, type MetricDefinition } from '../../../gateway/telemetry/catalog/metric-catalog.ts';
import { prometheusNameOf } from '../../../gateway/telemetry/catalog/prometheus-name.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { metricsOf } from './promql.ts';

const ALERTS = join(packageRoot, 'deploy/helm/gatefold/files/alerts.yaml');
const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface DashboardPanel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

/** Series of the metrics of the gateway for Prometheus. */
const SERIES: ReadonlySet<string> = new Set(
  Object.values<MetricDefinition>(METRICS).flatMap((definition) => {
    const name = prometheusNameOf(definition);
    return definition.kind === 'histogram' ? ['bucket', 'count', 'sum'].map((suffix) => `${name}_${suffix}`) : [name];
  }),
);

const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { readonly groups: readonly { readonly rules: readonly AlertRule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/gatefold.json')) as {
  readonly uid: string;
  readonly panels: readonly DashboardPanel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** Describes the problems of an expression. */
function problemsOf(expression: string): readonly string[] {
  const { names, error } = metricsOf(expression);
  const unknown = names.filter((name) => !SERIES.has(name)).map((name) => `unknown metric ${name}`);
  return [...(error === undefined ? [] : [`syntax error at "${error}"`]), ...(names.length === 0 ? ['selects no metric'] : []), ...unknown];
}

describe('the check of PromQL', () => {
  it('reports a syntax error, an unknown metric and an expression without metrics', () => {
    expect(problemsOf('sum by (a) (rate(gatefold_streams_open[5m])')).toEqual([expect.stringContaining('syntax error')]);
    expect(problemsOf('gatefold_strems_open > 1')).toEqual(['unknown metric gatefold_strems_open']);
    expect(problemsOf('1 > 0')).toEqual(['selects no metric']);
  });
});

describe('the alert rules', () => {
  it('are five, and use metrics of the gateway', () => {
    expect(rules).toHaveLength(5);
    expect(rules.flatMap(({ alert, expr }) => problemsOf(expr).map((problem) => `${alert}: ${problem}`))).toEqual([]);
  });

  it('have a severity, a summary and a runbook that exists', () => {
    const headings = new Set([...read('docs/operate/alerts.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? '')));
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^[^]{20,}\.$/);
      const [page, anchor] = annotations.runbook_url.split('#');
      expect(page).toBe('https://github.com/gatefold/gatefold/blob/main/docs/operate/alerts.md');
      expect({ alert, anchor, isListed: headings.has(anchor ?? '') }).toEqual({ alert, anchor: alert.toLowerCase(), isListed: true });
    }
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  if (!hasPromtool) process.stderr.write('\nNOT TESTED: promtool is not installed. The syntax of the alert rules is tested without it.\n');
  (hasPromtool ? it : it.skip)('are accepted by promtool, and fire in the situations of their tests', () => {
    expect(String(spawnSync('promtool', ['check', 'rules', ALERTS]).stdout)).toContain('SUCCESS: 5 rules found');
    const tested = spawnSync('promtool', ['test', 'rules', join(packageRoot, 'deploy/prometheus/alerts-test.yaml')], { encoding: 'utf8' });
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringContaining('SUCCESS') });
  });
});

describe('the dashboard', () => {
  it('has panels with a description, whose queries use metrics of the gateway', () => {
    expect(panels.length).toBeGreaterThan(15);
    const problems = panels.flatMap(({ title, description = '', targets = [] }) => [
      ...(description.endsWith('.') && targets.length > 0 ? [] : [`${title}: no description or no query`]),
      ...targets.flatMap(({ expr }) => problemsOf(expr).map((problem) => `${title}: ${problem}`)),
    ]);
    expect(problems).toEqual([]);
  });

  it('shows every metric of the gateway', () => {
    const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr).names)));
    const withoutSuffix = (name: string) =>
      name.replace(/_(?:bucket|count|sum)$/, '').replace(/^gatefold_operation_duration/, 'graphql_server_request_duration');
    const bases = new Set([...shown].map(withoutSuffix));
    expect([...SERIES].filter((name) => !bases.has(withoutSuffix(name)))).toEqual([]);
  });

  it('has panels with different ids that do not overlap', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_none, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

describe('the autoscaler of the chart', () => {
  it('uses a metric of the gateway', () => {
    const values = parse(read('deploy/helm/gatefold/values.yaml')) as {
      readonly autoscaling: { readonly eventLoop: { readonly metric: string } };
    };
    expect([...SERIES]).toContain(values.autoscaling.eventLoop.metric);
  });
});
