/** From what a resource tells its state, so that clients need not look at all of it (RFC 9110, section 8.8). */
export interface Validators {
  /** The field whose value is another one after each change. */
  readonly version?: ResultVersion;
  /** Response name of the field that says when the resource was last changed. */
  readonly lastModified?: string;
}

export interface ResultVersion {
  /** Response name of the field. */
  readonly name: string;
  /** Whether it is a number; otherwise it is any text. */
  readonly isInteger: boolean;
  /** What the answer shows, as text: equal for operations that show the same. */
  readonly form: string;
  /** Response names of what the answer shows and the version does not speak of: parts of other objects, or of other subgraphs. */
  readonly uncovered: ReadonlySet<string>;
  /** Whether it tells of what other subgraphs hold, so that they need not be asked where it is the same. */
  readonly sparesSubgraphs: boolean;
}

/** Response names of the fields that headers are made of. */
export function validatorNames({ version, lastModified }: Validators): readonly string[] {
  return [...(version === undefined ? [] : [version.name]), ...(lastModified === undefined ? [] : [lastModified])];
}
