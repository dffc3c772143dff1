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
 * Returns the value of a literal that a variable can replace, as coercion of that variable would return it. Returns undefined for a literal
 * that must stay in the document: it contains variables, is invalid, or belongs to a custom scalar and does not survive as JSON.
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
    // JSON would print a number beyond its range as null.
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  } catch {
    return undefined; // The literal is invalid; validation reports the error.
  }
}

/**
 * Whether a literal of a custom scalar survives a JSON round trip. A custom scalar may accept any literal and may distinguish 1.10 from
 * 1.1.
 */
function isSafeInJson(node: ValueNode): boolean {
  if (node.kind === Kind.STRING || node.kind === Kind.BOOLEAN) return true;
  return node.kind === Kind.INT && Number.isSafeInteger(Number(node.value)) && String(Number(node.value)) === node.value;
}

function listValueOf(node: ValueNode, itemType: GraphQLInputType): unknown {
  if (node.kind !== Kind.LIST) {
    const item = literalValueOf(node, itemType); // A single item represents a list with this item (GraphQL, section 3.11).
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
  if (!isInputObjectType(type) || type.isOneOf) return undefined; // Validation checks that exactly one field is given and not null.
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
 * @param nameOf returns the name of a variable in the text
 * @param isSorted whether literals that validation considers equal must have equal texts: the fields of objects are then sorted. A custom
 * scalar may distinguish their order.
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
      // `print` uses a visitor, which is slow. Validation treats a string and a block string as different literals, even with the same
      // text.
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
