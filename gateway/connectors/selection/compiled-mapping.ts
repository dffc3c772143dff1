/** Values of `$args`, `$this`, `$config`, `$env`, `$context`, `$request`, `$response`, `$status` and `$batch`, by name with dollar sign. */
export type MappingVariables = Readonly<Record<string, unknown>>;

/** A part of a mapping that produced no value from the data at hand, such as a property that does not exist. */
export interface SelectionProblem {
  readonly message: string;
  /** Keys, list indexes and methods (`->first`) between the input and the location of the problem. */
  readonly path: readonly (string | number)[];
  /** Position in the text of the mapping. @unit UTF-16 code units */
  readonly offset: number;
}

/**
 * Maps data. It returns `undefined` if the mapping produces nothing, never throws on data, and does not change its input. Parts of the
 * input can be parts of the result.
 *
 * @param data value of `$`
 * @param problems problems are appended here, up to a limit; without a list, they are not recorded
 */
export type CompiledMapping = (data: unknown, variables: MappingVariables, problems?: SelectionProblem[]) => unknown;

/** Names of the output fields that are needed. A value of `undefined` denotes everything below a field. */
export interface WantedFields extends ReadonlyMap<string, WantedFields | undefined> {}
