import { type Schema, isAbstractType, possibleRuntimeTypes } from '@apollo/federation-internals';

/**
 * Tells which types of the supergraph a type condition of the planner lets through. Compiled: the names are looked up in
 * the schema once per condition.
 */
export function typesMatching(schema: Schema, condition: string): ReadonlySet<string> {
  const names = new Set([condition]);
  const type = schema.type(condition);
  if (type === undefined || !isAbstractType(type)) return names;
  for (const possible of possibleRuntimeTypes(type)) names.add(possible.name);
  // An entity interface may be the type of a value itself, and so may the interfaces that implement it.
  for (const other of schema.interfaceTypes()) {
    if (other.interfaces().some((implemented) => implemented.name === condition)) names.add(other.name);
  }
  return names;
}
