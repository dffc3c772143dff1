/**
 * Meaning of names that do not belong to the language: those of the libraries that a test module uses. Each function returns `UNKNOWN` for a
 * name that it does not know.
 */
export interface RustVocabulary {
  /** Returns the value of a path that is not a variable, such as `ConnectSpec::V0_3`. */
  path(words: readonly string[]): unknown;
  call(words: readonly string[], args: readonly unknown[]): unknown;
  /** Calls a method. @param line of the name of the method */
  method(receiver: unknown, name: string, args: readonly unknown[], line: number): unknown;
  macro(name: string, args: readonly unknown[], line: number): unknown;
  /** Returns a field, or an item by its index. */
  member(value: unknown, name: string): unknown;
}
