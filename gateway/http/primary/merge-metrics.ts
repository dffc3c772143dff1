import { type MetricFamily, type MetricSample, seriesOf, sortLabels } from './prometheus-text.ts';

/** Metrics of one worker. */
export interface WorkerMetrics {
  readonly worker: number;
  readonly families: ReadonlyMap<string, MetricFamily>;
}

/** Types whose values count events, so that the values of workers can be added. */
const ADDED: ReadonlySet<string> = new Set(['counter', 'histogram']);

/**
 * Merges the metrics of all workers. Counters and histograms are added. All other values describe one process, such as its event loop or
 * its open streams, and receive the label `worker`.
 */
export function mergeMetrics(all: readonly WorkerMetrics[]): readonly MetricFamily[] {
  const names = new Set(all.flatMap(({ families }) => [...families.keys()]));
  return [...names].map((name) => {
    const present = all.flatMap(({ worker, families }) => {
      const family = families.get(name);
      return family === undefined ? [] : [{ worker, family }];
    });
    const { type = 'untyped', help } = present[0]?.family ?? {};
    const alike = present.filter(({ family }) => family.type === type);
    const samples = ADDED.has(type)
      ? addSamples(alike.map(({ family }) => withAllBounds(family.samples, alike)))
      : alike.flatMap(({ worker, family }) => family.samples.map((sample) => withWorker(sample, worker)));
    return { name, type, help, samples };
  });
}

/** Whether the values of a family of different workers are added. */
export function isAdded({ type }: Pick<MetricFamily, 'type'>): boolean {
  return ADDED.has(type);
}

function withWorker(sample: MetricSample, worker: number): MetricSample {
  return { ...sample, labels: sortLabels([...sample.labels.filter(([name]) => name !== 'worker'), ['worker', String(worker)]]) };
}

function addSamples(lists: readonly (readonly MetricSample[])[]): readonly MetricSample[] {
  const sums = new Map<string, MetricSample>();
  for (const sample of lists.flat()) {
    const series = seriesOf(sample);
    const known = sums.get(series);
    sums.set(series, known === undefined ? sample : { ...known, value: known.value + sample.value });
  }
  return [...sums.values()];
}

/**
 * Adds the bucket bounds that only other workers have, as they do while the configuration of the workers differs. A bucket counts all
 * values up to its bound, so the value of the next lower bound is the best known one. Without it, a larger bucket could count less.
 */
function withAllBounds(
  samples: readonly MetricSample[],
  alike: readonly { readonly family: Pick<MetricFamily, 'samples'> }[],
): readonly MetricSample[] {
  const bounds = new Set(alike.flatMap(({ family }) => family.samples.flatMap((sample) => boundOf(sample) ?? [])));
  if (bounds.size === 0) return samples;
  const sorted = [...bounds].toSorted((one, other) => toNumber(one) - toNumber(other));
  const groups = new Map<string, MetricSample[]>();
  const others: MetricSample[] = [];
  for (const sample of samples) {
    const series = boundOf(sample) === undefined ? undefined : seriesOf(withoutBound(sample));
    const group = series === undefined ? others : (groups.get(series) ?? []);
    group.push(sample);
    if (series !== undefined) groups.set(series, group);
  }
  return [...[...groups.values()].flatMap((group) => fillBounds(group, sorted)), ...others];
}

function toNumber(bound: string): number {
  return bound === '+Inf' ? Infinity : Number(bound);
}

/** Returns one sample for each bound. */
function fillBounds(group: readonly MetricSample[], bounds: readonly string[]): readonly MetricSample[] {
  const [first] = group;
  if (first === undefined || group.length === bounds.length) return group;
  const { name, labels } = withoutBound(first);
  let value = 0;
  return bounds.map((bound) => {
    value = group.find((sample) => boundOf(sample) === bound)?.value ?? value;
    return { name, labels: sortLabels([...labels, ['le', bound]]), value };
  });
}

function boundOf({ name, labels }: MetricSample): string | undefined {
  return name.endsWith('_bucket') ? labels.find(([label]) => label === 'le')?.[1] : undefined;
}

function withoutBound({ name, labels }: MetricSample): Pick<MetricSample, 'name' | 'labels'> {
  return { name, labels: labels.filter(([label]) => label !== 'le') };
}
