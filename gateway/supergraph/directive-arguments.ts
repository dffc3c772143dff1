import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';

/** All uses of a directive on one definition. */
export function directivesOf(
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): readonly ConstDirectiveNode[] {
  return node.directives?.filter((directive) => directive.name.value === name) ?? [];
}

/** The arguments of a directive as values, enum values as their names; none where there is no directive. */
export function argumentsOf(directive: ConstDirectiveNode | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((directive?.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));
}
