import type { ConnectVersion } from '../../../gateway/connectors/connect-version.ts';

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
