/** Sample of the Prometheus text format. */
export interface MetricSample {
  readonly name: string;
  /** Labels, sorted by name. */
  readonly labels: readonly MetricLabel[];
  readonly value: number;
}

type MetricLabel = readonly [name: string, value: string];

/** Samples of one metric with its type. */
export interface MetricFamily {
  readonly name: string;
  /** `counter`, `gauge`, `histogram`, `summary` or `untyped`. */
  readonly type: string;
  readonly help: string | undefined;
  readonly samples: readonly MetricSample[];
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) ?(.*)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Suffixes of the samples of a histogram or summary. */
const SUFFIX = /_(?:bucket|sum|count)$/;

/**
 * Parses the Prometheus text format, version 0.0.4. Timestamps, other comments and lines that are not valid are ignored.
 *
 * @returns families by name, in the order of the text
 */
export function parseMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  const families = new Map<string, { name: string; type: string; help: string | undefined; samples: MetricSample[] }>();
  const familyOf = (name: string) => {
    const known = families.get(name);
    if (known !== undefined) return known;
    const created = { name, type: 'untyped', help: undefined, samples: [] };
    families.set(name, created);
    return created;
  };
  for (const line of text.split('\n')) {
    const [, keyword, described = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (keyword === 'HELP') familyOf(described).help = rest;
    else if (keyword === 'TYPE') familyOf(described).type = rest.trim();
    else {
      const [, name, labels = '', value = ''] = line.startsWith('#') ? [] : (SAMPLE.exec(line.trimEnd()) ?? []);
      if (name === undefined) continue;
      const owner = families.has(name) ? name : name.replace(SUFFIX, '');
      familyOf(families.has(owner) ? owner : name).samples.push({ name, labels: parseLabels(labels), value: parseValue(value) });
    }
  }
  return families;
}

/** Prints families in the Prometheus text format. */
export function printMetrics(families: Iterable<MetricFamily>): string {
  let text = '';
  for (const { name, type, help, samples } of families) {
    if (help !== undefined) text += `# HELP ${name} ${help}\n`;
    text += `# TYPE ${name} ${type}\n`;
    for (const sample of samples) text += `${seriesOf(sample)} ${printValue(sample.value)}\n`;
  }
  return text;
}

/** Returns the name and the labels of a sample, which identify its series. */
export function seriesOf({ name, labels }: Pick<MetricSample, 'name' | 'labels'>): string {
  return labels.length === 0 ? name : `${name}{${labels.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}

/** Escape sequences in label values are retained, so that values are printed as they were read. */
function parseLabels(text: string): readonly MetricLabel[] {
  return sortLabels([...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value] as const));
}

export function sortLabels(labels: readonly MetricLabel[]): readonly MetricLabel[] {
  return labels.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function parseValue(text: string): number {
  if (text === '+Inf') return Infinity;
  if (text === '-Inf') return -Infinity;
  return Number(text);
}

function printValue(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
