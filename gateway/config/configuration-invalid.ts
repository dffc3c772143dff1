/** Where a value was written. */
export type Origin =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'option'; readonly name: string };

/** One mistake. No text of it ever holds the value of a secret. */
export interface ConfigurationProblem {
  /** The setting at fault, dotted: `server.port`; empty where the file as a whole is. */
  readonly path: string;
  readonly origin?: Origin;
  /** What was expected, with its unit, and what was found. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A configuration that is not started with. Its message lists every mistake, ready to print. */
export class ConfigurationInvalid extends Error {
  /** At least one. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
    super([`The configuration has ${count}.`, ...problems.map(describeProblem)].join('\n'));
    this.name = 'ConfigurationInvalid';
    this.problems = problems;
  }
}

function describeProblem({ path, origin, message, hint }: ConfigurationProblem): string {
  const subject = path === '' ? message : `${path}: ${message}`;
  const lines = [subject, origin && `  from ${describeOrigin(origin)}`, hint && `  ${hint}`];
  return lines.flatMap((line) => (line ? [`  ${line}`] : [])).join('\n');
}

/** `gatefold.yaml:3:7`, or the name of the variable or option. */
function describeOrigin(origin: Origin): string {
  if (origin.kind === 'file') return `${origin.file}:${origin.line}:${origin.column}`;
  return origin.kind === 'environment' ? `the environment variable ${origin.name}` : origin.name;
}

/** The `origin` of a problem, left out where it is not known. */
export function originField(origin: Origin | undefined): { readonly origin?: Origin } {
  return origin === undefined ? {} : { origin };
}
