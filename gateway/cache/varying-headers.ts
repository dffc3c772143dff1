/** Request headers that responses depend on, in lower case. */
export interface VaryingHeaders {
  /** Current names. The list is the same object at all times, and it only grows: stored responses may depend on every earlier name. */
  readonly names: readonly string[];
  /** Adds the names of headers that the connectors of a new supergraph read. */
  add(names: readonly string[]): void;
}

/** Creates the list. @param configured names that the configuration determines */
export function createVaryingHeaders(configured: readonly string[]): VaryingHeaders {
  const names = [...configured];
  return {
    names,
    add(others) {
      for (const name of others) if (!names.includes(name)) names.push(name);
    },
  };
}

/** Creates a function that returns a `Vary` value. The text is made again only when a name was added. */
export function varyText(always: readonly string[], varying: readonly string[]): () => string {
  let count = -1;
  let text = '';
  return () => {
    if (varying.length !== count) {
      count = varying.length;
      text = [...always, ...varying].join(', ');
    }
    return text;
  };
}
