import type { DescribedEntities, DescribedFetch, DescribedVariable } from '../../gateway/generation/explain/describe-fetches.ts';
import type { DescribedHttp } from '../../gateway/generation/explain/describe-http.ts';
import type { ExplainedOperation } from '../../gateway/generation/explain/explain-operation.ts';

/** Prints a plan as text: a summary, and the requests by step. */
export function printPlan({ operation, cost, conditions, labels, access, steps, fetches }: ExplainedOperation): string {
  const subgraphs = new Set(fetches.map(({ subgraph }) => subgraph)).size;
  const size =
    fetches.length === 0
      ? 'no requests to subgraphs'
      : `${count(fetches.length, 'request')} to ${count(subgraphs, 'subgraph')} in ${count(steps, 'step')}`;
  return [
    `${operation.kind} ${operation.name ?? '(unnamed)'}: ${size}`,
    printCost(cost),
    ...Object.entries(conditions).map(([name, value]) => `Condition: $${name} = ${value}`),
    ...Object.entries(labels).map(([label, isActive]) => `Label of @override: ${label} is ${isActive ? 'active' : 'not active'}`),
    ...access.denied.map((path) => `Denied: ${path} is not requested, because the caller may not read it.`),
    ...access.ownersOnly.map((path) => `Owners only: ${path} is returned for objects of the caller.`),
    ...Array.from({ length: steps }, (_step, index) => printStep(fetches.filter(({ step }) => step === index + 1))),
  ].join('\n');
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

function printCost({ estimated, maximum }: ExplainedOperation['cost']): string {
  if (estimated === null) return `Maximum cost: ${count(maximum, 'point')}. The estimated cost depends on the variables.`;
  const limit = estimated === maximum ? '' : `; with the largest pages: ${maximum}`;
  return `Estimated cost: ${count(estimated, 'point')}${limit}`;
}

function printStep(fetches: readonly DescribedFetch[]): string {
  const [first] = fetches;
  const title = `Step ${first?.step ?? 0}${fetches.length > 1 ? ', in parallel' : ''}`;
  return ['', title, ...fetches.map(printFetch)].join('\n');
}

function printFetch({ id, subgraph, kind, after, defer, operation, variables, path, entities, http }: DescribedFetch): string {
  const name = kind === 'query' ? subgraph : `${subgraph} (${kind})`;
  const when = after.length === 0 ? '' : `, after ${after.join(' and ')}`;
  const deferred = defer === undefined ? '' : `, for @defer ${defer.label === null ? `number ${defer.number}` : `"${defer.label}"`}`;
  return [
    `  ${id}. ${name}${when}${deferred}`,
    ...(path === undefined ? [] : [`     at ${path}`]),
    ...(http === undefined ? [] : [`     ${printHttp(http)}`]),
    ...entities.flatMap(printEntities),
    ...variables.map(printVariable),
    ...operation.split('\n').map((line) => `       ${line}`),
  ].join('\n');
}

function printHttp({ method, url, per, maxSize }: DescribedHttp): string {
  const batch = `once for ${maxSize === undefined ? 'all' : `up to ${maxSize}`} representations`;
  const times = { field: '', entity: ' × representations', batch: `, ${batch}` };
  return `${method} ${url}${times[per]}`;
}

function printEntities({ paths, representations }: DescribedEntities): readonly string[] {
  return representations.map(({ type, fields }) => `     ${type} by ${fields === '' ? '__typename' : fields}, at ${paths.join(' and ')}`);
}

function printVariable({ name, from, value }: DescribedVariable): string {
  const text = value === undefined ? undefined : JSON.stringify(value);
  const source = from === null ? (text ?? 'a literal') : `$${from}${text === undefined ? '' : ` = ${text}`}`;
  return `     $${name}: ${source}`;
}
