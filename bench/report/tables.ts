import type { Operation, OperationName } from '../graph/operations.ts';
import type { Target, TargetName } from '../targets/target.ts';
import { type Goal, isReached, NATIVE_PEER, type RunFigures } from './goals.ts';
import type { Medians } from './medians.ts';

export interface TablesInput {
  readonly targets: readonly Target[];
  readonly operations: readonly Operation[];
  readonly figures: RunFigures;
  readonly missing: ReadonlyMap<TargetName, string>;
  /** Descriptions of wrong responses and broken connections. */
  readonly failures: readonly string[];
  readonly goals: readonly Goal[];
}

/** Prints all tables of a run as Markdown. */
export function printTables(input: TablesInput): string {
  const missing = [...input.missing].map(([name, reason]) => `- **${name}**: ${oneLine(reason)}`);
  const wrong = input.failures.map((failure) => `- ${oneLine(failure)}`);
  return [
    input.targets.map(({ name, about }) => `- ${name}: ${about}`).join('\n'),
    section('CPU ms per request (stock divided by this target)', cpuTable(input)),
    section('Requests per second, p50 / p99 ms, upstream fetches per request, MB in memory', detailTable(input)),
    section('CPU per request of Gatefold as a fraction of other targets', ratioTable(input)),
    section('p50 ms of one client, every subgraph responding after 5 ms', delayTable(input)),
    section('ms from start to the first correct response, and for the first response of each operation', startTable(input)),
    section('Goals', goalTable(input.goals)),
    missing.length === 0 ? '' : section('MISSING', missing.join('\n')),
    wrong.length === 0 ? '' : section('WRONG RESPONSES', wrong.join('\n')),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Prints a section with its title. */
export function section(title: string, body: string): string {
  return `### ${title}\n\n${body}`;
}

function cpuTable(input: TablesInput): string {
  const { loaded } = input.figures;
  return ofLoaded(input, (medians, { name }) => {
    const stock = loaded.find('stock', name);
    return stock === undefined ? figure(medians.cpuMs) : `${figure(medians.cpuMs)} (${(stock.cpuMs / medians.cpuMs).toFixed(1)}x)`;
  });
}

function detailTable(input: TablesInput): string {
  return ofLoaded(input, ({ requestsPerSecond, p50Ms, p99Ms, fetches, rssMb }) =>
    [requestsPerSecond.toFixed(0), `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`, fetches.toFixed(1), rssMb.toFixed(0)].join(', '),
  );
}

function ofLoaded(input: TablesInput, cell: (medians: Medians, operation: Operation) => string): string {
  const { targets, operations, figures, missing } = input;
  return table(toRows(targets.map(({ name }) => name)), operations, ({ name }, operation) => {
    const medians = figures.loaded.find(name, operation.name);
    return medians === undefined ? (missing.has(name) ? 'missing' : 'FAILED') : cell(medians, operation);
  });
}

function ratioTable({ operations, figures: { loaded } }: TablesInput): string {
  return table(toRows(['stock', NATIVE_PEER, 'hive-native', 'floor-merged']), operations, ({ name }, operation) => {
    const [own, theirs] = [loaded.find('gatefold', operation.name), loaded.find(name, operation.name)];
    return own === undefined || theirs === undefined ? '-' : figure(own.cpuMs / theirs.cpuMs);
  });
}

function delayTable({ operations, figures: { delayed } }: TablesInput): string {
  return table(
    toRows(['gatefold', 'stock']),
    operations,
    ({ name }, operation) => delayed.find(name, operation.name)?.p50Ms.toFixed(1) ?? '-',
  );
}

function startTable({ targets, operations, figures: { loaded } }: TablesInput): string {
  const columns: readonly { readonly name: 'ready' | OperationName }[] = [{ name: 'ready' }, ...operations];
  return table(toRows(targets.map(({ name }) => name)), columns, (row, column) => {
    const ms = column.name === 'ready' ? loaded.readyMs(row.name) : loaded.find(row.name, column.name)?.firstMs;
    return ms?.toFixed(0) ?? '-';
  });
}

/** Prints goals with their measured figures and results. */
export function goalTable(goals: readonly Goal[]): string {
  const columns = [{ name: 'at most' }, { name: 'measured' }, { name: 'result' }] as const;
  return table(
    goals.map((goal) => ({ goal, head: goal.name })),
    columns,
    ({ goal }, { name }) => {
      if (name === 'at most') return figure(goal.bound);
      if (name === 'measured') return goal.measured === undefined ? '-' : figure(goal.measured);
      return { true: 'pass', false: '**FAIL**', undefined: 'not measured' }[`${isReached(goal)}`];
    },
  );
}

function toRows(names: readonly TargetName[]): readonly { readonly name: TargetName; readonly head: string }[] {
  return names.map((name) => ({ name, head: name }));
}

/** Prints a Markdown table. The first column has the heads of the rows. */
export function table<Row extends { readonly head: string }, Column extends { readonly name: string }>(
  rows: readonly Row[],
  columns: readonly Column[],
  cell: (row: Row, column: Column) => string,
): string {
  const lines = rows.map((row) => [row.head].concat(columns.map((column) => cell(row, column))));
  const head = ['', ...columns.map(({ name }) => name)];
  const all = [head, head.map(() => '---'), ...lines];
  const widths = head.map((_name, index) => Math.max(...all.map((line) => line[index]?.length ?? 0)));
  return all.map((line) => `| ${line.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`).join('\n');
}

/** Formats a number with three significant digits. */
export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 400);
}
