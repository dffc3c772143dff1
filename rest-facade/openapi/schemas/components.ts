import type { JsonSchema, Reference } from '../openapi-document.ts';

/** Schemas that have a name of their own, each built once. */
export interface Components {
  /**
   * A reference to the schema of `key`, under `name` or, where another key has that name already, the next free one.
   *
   * @param key what makes two uses the same
   * @param build is told nothing; a schema that contains itself is referred to while it is built
   */
  refer(key: string, name: string, build: () => JsonSchema): Reference;
  /** Everything that was referred to, by name. */
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
