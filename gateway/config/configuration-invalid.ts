/** Location at which a value was written. */
export type Origin =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'option'; readonly name: string };

/** One mistake in the configuration. Its texts never contain the value of a secret. */
export interface ConfigurationProblem {
  /** Dotted path of the invalid setting, such as `server.port`. Empty if the whole file is invalid. */
  readonly path: string;
  readonly origin?: Origin;
  /** Expected value with its unit, and the actual value. */
  readonly message: string;
  /** How to fix the mistake. */
  readonly hint?: string;
}

/** Error for an invalid configuration. The message lists every mistake and can be printed directly. */
export class ConfigurationInvalid extends Error {
  /** Mistakes that were found; at least one. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
    super([`The configuration has ${count}.`, ...problems.map(describeProblem)].join('\n'));
    this.name = 'ConfigurationInvalid';
    this.problems = problems;
  }
}

/** Formats a mistake: the path and the message, then the location and the hint on separate lines. */
export function describeProblem({ path, origin, message, hint }: ConfigurationProblem): string {
  const subject = path === '' ? message : `${path}: ${message}`;
  const lines = [subject, origin && `  from ${describeOrigin(origin)}`, hint && `  ${hint}`];
  return lines.flatMap((line) => (line ? [`  ${line}`] : [])).join('\n');
}

/** Formats an origin as `gatefold.yaml:3:7`, or as the name of the variable or option. */
export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'file') return `${origin.file}:${origin.line}:${origin.column}`;
  return origin.kind === 'environment' ? `the environment variable ${origin.name}` : origin.name;
}

/** Returns an object with the `origin` of a problem, or an empty object if the origin is unknown. */
export function originField(origin: Origin | undefined): { readonly origin?: Origin } {
  return origin === undefined ? {} : { origin };
}
