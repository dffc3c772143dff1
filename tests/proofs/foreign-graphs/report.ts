/** Collects the results of the proof and prints them. */
export interface Report {
  line(text: string): void;
  /** Prints counts as a table, the highest first. */
  table(title: string, counts: ReadonlyMap<string, number>): void;
  /** Counts something that must not be. The first of each kind are printed. */
  fault(kind: string, detail: string): void;
  /** Prints the number of faults. @returns whether there were none */
  finish(): boolean;
}

const SHOWN_FAULTS = 40;

/** Creates a report on standard output. */
export function createReport(): Report {
  const faults = new Map<string, number>();
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  const table = (title: string, counts: ReadonlyMap<string, number>): void => {
    line(`\n${title}`);
    for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one)) line(`  ${`${count}`.padStart(7)}  ${name}`);
  };
  return {
    line,
    table,
    fault(kind, detail) {
      const count = (faults.get(kind) ?? 0) + 1;
      faults.set(kind, count);
      if (count <= SHOWN_FAULTS) line(`FAULT ${kind}: ${detail}`);
    },
    finish() {
      table(faults.size === 0 ? 'No faults.' : 'Faults', faults);
      return faults.size === 0;
    },
  };
}

/** Adds one to a count. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
