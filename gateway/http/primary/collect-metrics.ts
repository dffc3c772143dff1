import { type WorkerMetrics, isAdded, mergeMetrics } from './merge-metrics.ts';
import { type MetricFamily, parseMetrics, printMetrics, seriesOf } from './prometheus-text.ts';

/** Process that exports metrics. */
export interface MetricsSource {
  readonly number: number;
  /** Returns the metrics in the Prometheus text format. Undefined if the process has none or does not respond in time. */
  collectMetrics(): Promise<string | undefined>;
}

/** Metrics of all workers as one text. */
export interface MergedMetrics {
  /** Collects and merges. Undefined if no worker has metrics. @param own families of the primary, which are added */
  collect(sources: readonly MetricsSource[], own: readonly MetricFamily[]): Promise<string | undefined>;
  /**
   * Retains the counters and histograms of a worker that ends, as they were collected last, so that the sums never decrease.
   */
  retain(source: Pick<MetricsSource, 'number'>): void;
  /** Collects the metrics of a worker before it is stopped. */
  note(source: MetricsSource): Promise<void>;
}

/**
 * Maximum number of series of ended workers. Each worker bounds its series, but the union over many workers grows. At the limit, series
 * that are not retained yet are dropped when their worker ends.
 */
const MAX_RETAINED = 20_000;

export function createMergedMetrics(maxRetained: number = MAX_RETAINED): MergedMetrics {
  /** Metrics of each worker as they were collected last. */
  const latest = new Map<number, ReadonlyMap<string, MetricFamily>>();
  let ended: ReadonlyMap<string, MetricFamily> = new Map();

  async function read(source: MetricsSource): Promise<WorkerMetrics | undefined> {
    const text = await source.collectMetrics();
    if (text !== undefined) latest.set(source.number, parseMetrics(text));
    const families = latest.get(source.number);
    return families && { worker: source.number, families };
  }

  return {
    async collect(sources, own) {
      const metrics = (await Promise.all(sources.map(read))).filter((one) => one !== undefined);
      if (metrics.length === 0 && ended.size === 0) return undefined;
      return printMetrics([...mergeMetrics([...metrics, { worker: 0, families: ended }]), ...own]);
    },
    retain({ number }) {
      const families = latest.get(number);
      latest.delete(number);
      if (families === undefined) return;
      const sum = mergeMetrics([
        { worker: 0, families: ended },
        { worker: 0, families: new Map([...families].filter(([, family]) => isAdded(family))) },
      ]);
      ended = bounded(sum, ended, maxRetained);
    },
    async note(source) {
      await read(source);
    },
  };
}

/** Drops series beyond the maximum, new ones first. */
function bounded(
  families: readonly MetricFamily[],
  known: ReadonlyMap<string, MetricFamily>,
  maxSeries: number,
): ReadonlyMap<string, MetricFamily> {
  const retained = new Set([...known.values()].flatMap(({ samples }) => samples.map(seriesOf)));
  const limited = families.map((family) => ({
    ...family,
    samples: family.samples.filter((sample) => {
      const series = seriesOf(sample);
      if (!retained.has(series) && retained.size >= maxSeries) return false;
      retained.add(series);
      return true;
    }),
  }));
  return new Map(limited.map((family) => [family.name, family]));
}
