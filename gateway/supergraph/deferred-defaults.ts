import {
  type ConstValueNode,
  type GraphQLInputField,
  type GraphQLInputFieldMap,
  GraphQLInputObjectType,
  type GraphQLInputObjectTypeConfig,
  type InputValueDefinitionNode,
  Kind,
  valueFromAST,
} from 'graphql';

/** Whether a value is an input object, or a list with one. */
export function hasObject(value: ConstValueNode | undefined): boolean {
  return value?.kind === Kind.OBJECT || (value?.kind === Kind.LIST && value.values.some(hasObject));
}

/** Removes a default value that must be deferred. */
export function withoutObjectDefault(definition: InputValueDefinitionNode): InputValueDefinitionNode {
  if (!hasObject(definition.defaultValue)) return definition;
  const { defaultValue: _deferred, ...rest } = definition;
  return rest;
}

/**
 * Sets default values that are coerced when they are first read. Coercing an object reads the fields of its type, so with two input types
 * whose fields have each other's type, neither could be created first.
 *
 * @param definitions fields with a default value. The default values must not refer to each other in a cycle.
 */
export function deferDefaults(fields: GraphQLInputFieldMap, definitions: readonly InputValueDefinitionNode[]): void {
  for (const definition of definitions) {
    const { name, defaultValue } = definition;
    const field = fields[name.value];
    if (field === undefined || defaultValue === undefined) continue;
    deferDefault(field, defaultValue);
    // The type was created from definitions without these default values.
    if (field.astNode) field.astNode = definition;
  }
}

function deferDefault(field: GraphQLInputField, node: ConstValueNode): void {
  const set = (descriptor: PropertyDescriptor): void =>
    void Object.defineProperty(field, 'defaultValue', { configurable: true, enumerable: true, ...descriptor });
  set({
    get() {
      const value = valueFromAST(node, field.type);
      set({ value, writable: true });
      return value;
    },
  });
}

/** An input type with default values that are coerced when they are first read. */
export class InputTypeWithDefaults extends GraphQLInputObjectType {
  #definitions: readonly InputValueDefinitionNode[];

  /** @param config without the default values of the definitions */
  constructor(config: GraphQLInputObjectTypeConfig, definitions: readonly InputValueDefinitionNode[]) {
    super(config);
    this.#definitions = definitions;
  }

  override getFields(): GraphQLInputFieldMap {
    const fields = super.getFields();
    deferDefaults(fields, this.#definitions);
    this.#definitions = [];
    return fields;
  }
}
