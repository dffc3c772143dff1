import type { ConnectVersion } from '../../../gateway/connectors/connect-version.ts';

/** A value that the reader of test modules does not know. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Absence in terms of Rust, as opposed to the null of JSON. */
export const NONE: unique symbol = Symbol('none');

/** One evaluation of a mapping in a test module. */
export interface CorpusRun {
  readonly text: string;
  readonly version: ConnectVersion;
  readonly data: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly line: number;
}

/** A mapping in a test module. */
export class CorpusMapping {
  readonly text: string;
  readonly version: ConnectVersion;

  constructor(text: string, version: ConnectVersion) {
    this.text = text;
    this.version = version;
  }
}

/** The result of a run: its data, its problems, or both. */
export class CorpusResult {
  readonly run: CorpusRun;
  readonly part: 'both' | 'data' | 'problems';

  constructor(run: CorpusRun, part: 'both' | 'data' | 'problems' = 'both') {
    this.run = run;
    this.part = part;
  }
}

/** A tuple, unlike a list. */
export class RustTuple {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** A value of `Some`. */
export class RustSome {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Names of versions in test modules. */
export const VERSIONS: ReadonlyMap<string, ConnectVersion> = new Map([
  ['V0_1', '0.1'],
  ['V0_2', '0.2'],
  ['V0_3', '0.3'],
  ['V0_4', '0.4'],
  // Versions without a number are called as functions.
  ['latest', '0.3'],
  ['next', '0.4'],
]);

/** An assertion on the result of a run. */
export interface CorpusCase {
  readonly run: CorpusRun;
  readonly file: string;
  readonly test: string;
  readonly line: number;
  /** Data that the test expects, `NONE` if it expects none. */
  readonly data: unknown;
  /** Number of problems that the test expects, if it says so. */
  readonly problems: number | undefined;
}
