/** Collects the results of the proof and prints them. */
export interface Report {
  line(text: string): void;
  /** Prints counts as a table, the highest first. */
  table(title: string, counts: ReadonlyMap<string, number>): void;
  /** Counts an error. The first errors of each kind are printed. */
  failure(kind: string, detail: string): void;
  /** Prints the number of errors. @returns whether there were no errors */
  finish(): boolean;
}

const SHOWN_ISSUES = 40;

/** Creates a report on standard output. */
export function createReport(): Report {
  const failures = new Map<string, number>();
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  const table = (title: string, counts: ReadonlyMap<string, number>): void => {
    line(`\n${title}`);
    for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one)) line(`  ${`${count}`.padStart(7)}  ${name}`);
  };
  return {
    line,
    table,
    failure(kind, detail) {
      const count = (failures.get(kind) ?? 0) + 1;
      failures.set(kind, count);
      if (count <= SHOWN_ISSUES) line(`ERROR ${kind}: ${detail}`);
    },
    finish() {
      table(failures.size === 0 ? 'No errors.' : 'Faults', failures);
      return failures.size === 0;
    },
  };
}

/** Adds one to a count. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
