import { type DocumentNode, type InputValueDefinitionNode, Kind } from 'graphql';
import { namedTypeOf } from '../directives/named-type-of.ts';

/** Types of a supergraph that a connector needs, to coerce arguments and to select from values. */
export interface ValueTypes {
  /** Returns the named type of a field of an object type or an interface; undefined if it is unknown. */
  fieldType(type: string, field: string): string | undefined;
  /** Whether a type is an interface or a union, so that `__typename` of a value determines its fields. */
  isAbstract(type: string): boolean;
  /** Whether an object of type `type` satisfies a type condition. */
  satisfies(type: string, condition: string): boolean;
  /** Returns the arguments of a field. */
  argumentsOf(type: string, field: string): readonly InputValueDefinitionNode[];
  /** Returns the fields of an input type; undefined for every other type. */
  inputFieldsOf(type: string): readonly InputValueDefinitionNode[] | undefined;
}

interface KnownField {
  readonly type: string;
  readonly arguments: readonly InputValueDefinitionNode[];
}

/** Reads the types of a supergraph. */
export function readValueTypes({ definitions }: DocumentNode): ValueTypes {
  const fields = new Map<string, Map<string, KnownField>>();
  const inputs = new Map<string, readonly InputValueDefinitionNode[]>();
  const abstract = new Set<string>();
  /** Abstract types that an object type belongs to. */
  const memberships = new Map<string, Set<string>>();

  function addMembership(member: string, of: string): void {
    const known = memberships.get(member) ?? new Set();
    memberships.set(member, known.add(of));
  }

  for (const definition of definitions) {
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) inputs.set(definition.name.value, definition.fields ?? []);
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      abstract.add(definition.name.value);
      for (const member of definition.types ?? []) addMembership(member.name.value, definition.name.value);
    }
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const type = definition.name.value;
    if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION) abstract.add(type);
    for (const { name } of definition.interfaces ?? []) addMembership(type, name.value);
    const known = (definition.fields ?? []).map(
      (field) => [field.name.value, { type: namedTypeOf(field.type), arguments: field.arguments ?? [] }] as const,
    );
    fields.set(type, new Map(known));
  }

  return {
    fieldType: (type, field) => fields.get(type)?.get(field)?.type,
    isAbstract: (type) => abstract.has(type),
    satisfies: (type, condition) => type === condition || memberships.get(type)?.has(condition) === true,
    argumentsOf: (type, field) => fields.get(type)?.get(field)?.arguments ?? [],
    inputFieldsOf: (type) => inputs.get(type),
  };
}

/** Returns the types of a subgraph that defines some interfaces as objects. Their values have no `__typename`. */
export function withInterfaceObjects(types: ValueTypes, names: ReadonlySet<string> | undefined): ValueTypes {
  return names === undefined ? types : { ...types, isAbstract: (type) => types.isAbstract(type) && !names.has(type) };
}
