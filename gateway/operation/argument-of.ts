import type { DirectiveNode, ValueNode } from 'graphql';

/** What a directive is given for an argument, as it is written. */
export function argumentOf({ arguments: given }: DirectiveNode, name: string): ValueNode | undefined {
  return given?.find((argument) => argument.name.value === name)?.value;
}
