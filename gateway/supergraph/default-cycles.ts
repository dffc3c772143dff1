import { type ConstValueNode, type DocumentNode, type InputValueDefinitionNode, Kind, type TypeNode } from 'graphql';
import { lineOf } from './line-of.ts';
import { namedTypeOf } from '../directives/named-type-of.ts';
import { hasObject } from './deferred-defaults.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';

/** Input fields whose default values refer to each other. */
export interface DefaultCycle {
  /** Coordinates of the fields, with the first one again at the end: `A.b -> B.a -> A.b`. */
  readonly fields: string;
  /** Fix, as sentences. */
  readonly remedy: string;
  /** First field. */
  readonly node: InputValueDefinitionNode;
}

/**
 * Rejects input fields whose default values refer to each other (GraphQL specification, September 2025, 3.10 "Type Validation"). Coercing
 * such a default value never ends.
 *
 * @throws SupergraphInvalid that names the fields of the first cycle
 */
export function refuseDefaultCycles(document: DocumentNode): void {
  const cycle = findDefaultCycle(document);
  if (cycle === undefined) return;
  const { fields, remedy, node } = cycle;
  throw new SupergraphInvalid(
    `The supergraph cannot be served: default values of input fields refer to each other: ${fields}${lineOf(node)}. ${remedy}`,
  );
}

/** Finds input fields whose default values refer to each other. */
export function findDefaultCycle(document: DocumentNode): DefaultCycle | undefined {
  const inputs = inputsWithDefaults(document);
  const done = new Set<InputValueDefinitionNode>();
  const path: InputField[] = [];

  function visit(field: InputField): DefaultCycle | undefined {
    const start = path.findIndex(({ node }) => node === field.node);
    if (start !== -1) return toCycle(path.slice(start));
    if (done.has(field.node)) return undefined;
    done.add(field.node);
    path.push(field);
    for (const next of usedDefaults(inputs, field.node.type, field.node.defaultValue)) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    return undefined;
  }

  for (const fields of inputs.values()) {
    for (const field of fields) {
      const cycle = visit(field);
      if (cycle !== undefined) return cycle;
    }
  }
  return undefined;
}

interface InputField {
  readonly coordinate: string;
  readonly node: InputValueDefinitionNode;
}

type InputFields = ReadonlyMap<string, readonly InputField[]>;

/** Returns the fields of all input types. Returns nothing when no default value is an object, as in nearly all graphs. */
function inputsWithDefaults({ definitions }: DocumentNode): InputFields {
  const inputs = new Map<string, InputField[]>();
  let hasObjects = false;
  for (const definition of definitions) {
    if (definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INPUT_OBJECT_TYPE_EXTENSION) continue;
    const { value: name } = definition.name;
    const fields = (definition.fields ?? []).map((node) => ({ coordinate: `${name}.${node.name.value}`, node }));
    hasObjects ||= fields.some(({ node }) => hasObject(node.defaultValue));
    inputs.set(name, [...(inputs.get(name) ?? []), ...fields]);
  }
  return hasObjects ? inputs : new Map();
}

/** Returns the fields whose default values a value uses, because an object in it omits them. */
function* usedDefaults(inputs: InputFields, type: TypeNode, value: ConstValueNode | undefined): Generator<InputField, void, undefined> {
  if (value?.kind === Kind.LIST) for (const item of value.values) yield* usedDefaults(inputs, type, item);
  if (value?.kind !== Kind.OBJECT) return;
  for (const field of inputs.get(namedTypeOf(type)) ?? []) {
    const given = value.fields.find(({ name }) => name.value === field.node.name.value);
    if (given !== undefined) yield* usedDefaults(inputs, field.node.type, given.value);
    else if (field.node.defaultValue !== undefined) yield field;
  }
}

function toCycle(fields: readonly InputField[]): DefaultCycle | undefined {
  const [first] = fields;
  if (first === undefined) return undefined;
  const { name } = (fields[1] ?? first).node;
  return {
    fields: [...fields, first].map(({ coordinate }) => coordinate).join(' -> '),
    remedy:
      'GraphQL does not permit that, because none of these values can be determined. Remove one of them, or write the next field of the cycle into one, ' +
      `such as ${name.value} into the default value of ${first.coordinate}.`,
    node: first.node,
  };
}
