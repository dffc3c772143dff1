import type { JsonSchema, Reference } from '../openapi-document.ts';

/** Named schemas, each built once. */
export interface Components {
  /**
   * Returns a reference to the schema of `key`. The schema is called `name`, or, if another key has that name, gets the next free number.
   *
   * @param key identifies the schema
   * @param build builds the schema; a recursive schema is referenced while it is being built
   */
  refer(key: string, name: string, build: () => JsonSchema): Reference;
  /** Returns all schemas that were referenced, by name. */
  all(): Readonly<Record<string, JsonSchema>>;
}

export function createComponents(): Components {
  const names = new Map<string, string>();
  const schemas = new Map<string, JsonSchema>();
  return {
    refer(key, wished, build) {
      const known = names.get(key);
      if (known !== undefined) return toReference(known);
      const name = freeName(wished, schemas);
      names.set(key, name);
      schemas.set(name, {});
      schemas.set(name, build());
      return toReference(name);
    },
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function toReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

function freeName(wished: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wished;
  for (let count = 2; taken.has(name); count += 1) name = `${wished}${count}`;
  return name;
}
