import {
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isSpecifiedScalarType,
  Kind,
  type ObjectValueNode,
  print,
  type ValueNode,
} from 'graphql';

/**
 * The value of a literal that may stand as a variable instead, as coercing that variable would give it; undefined for one that must stay where
 * it is: with variables in it, not valid, or of a custom scalar in a form that does not survive as JSON.
 */
export function literalValueOf(node: ValueNode, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return node.kind === Kind.NULL ? undefined : literalValueOf(node, type.ofType);
  if (node.kind === Kind.NULL) return null;
  if (node.kind === Kind.VARIABLE) return undefined;
  if (isLeafType(type)) return leafValueOf(node, type);
  if (isListType(type)) return listValueOf(node, type.ofType);
  return node.kind === Kind.OBJECT ? objectValueOf(node, type) : undefined;
}

function leafValueOf(node: ValueNode, type: GraphQLLeafType): unknown {
  if (!isEnumType(type) && !isSpecifiedScalarType(type) && !isSafeInJson(node)) return undefined;
  try {
    const value: unknown = type.parseLiteral(node, undefined);
    // A number beyond the range of JSON would be printed as null.
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  } catch {
    return undefined; // not valid: validation finds the words
  }
}

/** A custom scalar may take any literal, and may tell 1.10 from 1.1: only what JSON gives back as it was is taken out. */
function isSafeInJson(node: ValueNode): boolean {
  if (node.kind === Kind.STRING || node.kind === Kind.BOOLEAN) return true;
  return node.kind === Kind.INT && Number.isSafeInteger(Number(node.value)) && String(Number(node.value)) === node.value;
}

function listValueOf(node: ValueNode, itemType: GraphQLInputType): unknown {
  if (node.kind !== Kind.LIST) {
    const item = literalValueOf(node, itemType); // one item stands for a list of it (GraphQL, section 3.11)
    return item === undefined ? undefined : [item];
  }
  const items: unknown[] = [];
  for (const itemNode of node.values) {
    const item = literalValueOf(itemNode, itemType);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function objectValueOf({ fields }: ObjectValueNode, type: GraphQLInputType): unknown {
  if (!isInputObjectType(type) || type.isOneOf) return undefined; // exactly one, and not null: left to validation
  const given = new Map(fields.map(({ name, value }) => [name.value, value]));
  if (given.size !== fields.length) return undefined;
  const object: Record<string, unknown> = {};
  let used = 0;
  for (const field of Object.values(type.getFields())) {
    const node = given.get(field.name);
    if (node === undefined) {
      if (isRequiredInputField(field)) return undefined;
      if (field.defaultValue !== undefined) object[field.name] = field.defaultValue;
      continue;
    }
    const value = literalValueOf(node, field.type);
    if (value === undefined) return undefined;
    object[field.name] = value;
    used += 1;
  }
  return used === given.size ? object : undefined;
}

/**
 * Prints a literal on one line.
 *
 * @param nameOf what a variable is called in the text
 * @param isSorted whether two literals are to be equal texts when validation takes them for equal: there the fields of objects
 * have no order. A custom scalar may see one.
 */
export function printLiteral(node: ValueNode, nameOf: (variable: string) => string, isSorted: boolean): string {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.ENUM:
      return node.value;
    case Kind.BOOLEAN:
      return node.value ? 'true' : 'false';
    case Kind.NULL:
      return 'null';
    case Kind.STRING:
      // Printing by the book costs a visitor; the same text in both forms is two literals to validation.
      return node.block === true ? print(node) : JSON.stringify(node.value);
    case Kind.VARIABLE:
      return `$${nameOf(node.name.value)}`;
    case Kind.LIST:
      return `[${node.values.map((value) => printLiteral(value, nameOf, isSorted)).join(',')}]`;
    case Kind.OBJECT:
      return printObject(node, nameOf, isSorted);
    default:
      return node satisfies never;
  }
}

function printObject({ fields }: ObjectValueNode, nameOf: (variable: string) => string, isSorted: boolean): string {
  const printed = fields.map(({ name, value }) => `${name.value}:${printLiteral(value, nameOf, isSorted)}`);
  return `{${(isSorted ? printed.sort() : printed).join(',')}}`;
}
