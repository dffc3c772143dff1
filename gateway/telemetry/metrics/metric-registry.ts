import { METRICS, type MetricDefinition, type MetricKey } from '../catalog/metric-catalog.ts';
import { OTHER } from './bounded-names.ts';

/** Values of a histogram. */
export interface HistogramValue {
  /** Number of values in each bucket; the last one is that above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** One series of a metric. */
export interface MetricPoint {
  /** Values of the labels, in the order of the definition. Empty values are absent. */
  readonly labels: readonly string[];
  /** Absent for a histogram. */
  readonly value?: number;
  /** Present for a histogram. */
  readonly histogram?: HistogramValue;
}

/** All series of one metric at one time. It is plain data, so that it can be sent to another process. */
export interface CollectedMetric {
  readonly name: string;
  readonly points: readonly MetricPoint[];
}

/** Index of the value in `totals`. */
const VALUE = 0;
/** Index of the sum of a histogram in `totals`. */
const SUM = 1;

/** Values with equal labels of one metric. */
class Series {
  readonly labels: readonly string[];
  /** Value of a counter or gauge, or number of values of a histogram. Floats from the start: V8 would change the shape of the object. */
  readonly totals = new Float64Array(2);
  readonly counts: Float64Array;
  private readonly buckets: Float64Array;

  constructor(labels: readonly string[], buckets: Float64Array) {
    this.labels = labels;
    this.buckets = buckets;
    this.counts = new Float64Array(buckets.length + 1);
  }

  /** Adds to a counter. */
  add(value: number): void {
    const { totals } = this;
    totals[VALUE] = (totals[VALUE] ?? 0) + value;
  }

  /** Sets a gauge, or a counter that another component counts. */
  set(value: number): void {
    this.totals[VALUE] = value;
  }

  /** Adds a value to a histogram. */
  record(value: number): void {
    const { totals, counts, buckets } = this;
    const { length } = buckets;
    let bucket = 0;
    while (bucket < length && value > (buckets[bucket] ?? 0)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    totals[VALUE] = (totals[VALUE] ?? 0) + 1;
    totals[SUM] = (totals[SUM] ?? 0) + value;
  }
}

/** Labels of a value, in the order of the definition. They are single arguments, because a list of them would be allocated for each value. */
type Labels = [first?: string, second?: string, third?: string, fourth?: string];

/** Tables of series by the value of each label. Looking up four short strings is faster than joining them to one key. */
type Level = Map<string, Level | Series>;

/**
 * Series of one metric. Consecutive values often have equal labels, so they are compared with those of the last value before the tables
 * are searched.
 */
class Metric {
  readonly definition: MetricDefinition;
  readonly points: Series[] = [];
  private readonly maxSeries: number;
  private readonly buckets: Float64Array;
  private readonly root: Level = new Map();
  private last: Series | undefined = undefined;
  private readonly lastLabels: (string | undefined)[] = [undefined, undefined, undefined, undefined];
  private overflow: Series | undefined = undefined;

  constructor(definition: MetricDefinition, maxSeries: number) {
    this.definition = definition;
    this.maxSeries = maxSeries;
    this.buckets = Float64Array.from(definition.buckets ?? []);
  }

  /** Adds to a counter. */
  add(value: number, ...labels: Labels): void {
    this.series(...labels).add(value);
  }

  /** Sets a gauge, or a counter that another component counts. */
  set(value: number, ...labels: Labels): void {
    this.series(...labels).set(value);
  }

  /** Adds a value to a histogram. */
  record(value: number, ...labels: Labels): void {
    this.series(...labels).record(value);
  }

  /** Returns the series with some labels. */
  series(first?: string, second?: string, third?: string, fourth?: string): Series {
    const { last, lastLabels } = this;
    if (last !== undefined && first === lastLabels[0] && second === lastLabels[1] && third === lastLabels[2] && fourth === lastLabels[3])
      return last;
    const labels = [first, second, third, fourth].filter((label) => label !== undefined);
    const found = this.find(labels);
    this.last = found;
    lastLabels[0] = first;
    lastLabels[1] = second;
    lastLabels[2] = third;
    lastLabels[3] = fourth;
    return found;
  }

  /** Removes all series, for gauges whose labels change. */
  clear(): void {
    this.points.length = 0;
    this.root.clear();
    this.last = undefined;
    this.overflow = undefined;
  }

  private find(labels: readonly string[]): Series {
    let level = this.root;
    const lastIndex = labels.length - 1;
    for (let index = 0; index < lastIndex; index += 1) {
      const label = labels[index] ?? '';
      let next = level.get(label);
      if (!(next instanceof Map)) {
        if (this.points.length >= this.maxSeries) return this.others(labels);
        next = new Map();
        level.set(label, next);
      }
      level = next;
    }
    const label = labels[lastIndex] ?? '';
    const known = level.get(label);
    if (known instanceof Series) return known;
    if (this.points.length >= this.maxSeries) return this.others(labels);
    const created = new Series(labels, this.buckets);
    this.points.push(created);
    level.set(label, created);
    return created;
  }

  private others(labels: readonly string[]): Series {
    if (this.overflow === undefined) {
      this.overflow = new Series(
        labels.map(() => OTHER),
        this.buckets,
      );
      this.points.push(this.overflow);
    }
    return this.overflow;
  }
}

/** All metrics of a gateway. */
export interface MetricRegistry {
  readonly metrics: Readonly<Record<MetricKey, Metric>>;
  /** Registers a function that sets gauges before metrics are collected. */
  observe(update: () => void): void;
  /** Returns all series that have a value. */
  collect(): readonly CollectedMetric[];
}

export function createMetricRegistry(maxSeries: number): MetricRegistry {
  const entries = Object.entries(METRICS).map(([key, definition]) => [key, new Metric(definition, maxSeries)] as const);
  const updates: (() => void)[] = [];
  return {
    metrics: Object.fromEntries(entries) as Record<MetricKey, Metric>,
    observe: (update) => void updates.push(update),
    collect() {
      for (const update of updates) update();
      return entries.filter(([, { points }]) => points.length > 0).map(([, metric]) => collectMetric(metric));
    },
  };
}

function collectMetric({ definition, points }: Metric): CollectedMetric {
  const isHistogram = definition.kind === 'histogram';
  return {
    name: definition.name,
    points: points.map(({ labels, totals: [value = 0, sum = 0], counts }) =>
      isHistogram ? { labels, histogram: { counts: [...counts], sum, count: value } } : { labels, value },
    ),
  };
}
