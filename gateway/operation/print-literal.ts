import { Kind, type ObjectValueNode, print, type ValueNode } from 'graphql';

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
