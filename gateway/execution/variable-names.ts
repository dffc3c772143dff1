import { type ArgumentNode, Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

/** The variable that the planner gives representations in. */
const REPRESENTATIONS = 'representations';

/**
 * Keeps the planner's variable apart from a client's of the same name: both would be declared as `$representations` in
 * one text. Then the planner's gets another name.
 *
 * @param variables the client's variables that the fetch uses
 */
export function freeVariableName(operation: string, variables: readonly string[]): { readonly text: string; readonly variable: string } {
  if (!variables.includes(REPRESENTATIONS)) return { text: operation, variable: REPRESENTATIONS };
  let variable = `${REPRESENTATIONS}_0`;
  for (let counter = 1; variables.includes(variable); counter += 1) variable = `${REPRESENTATIONS}_${counter}`;
  const renamed = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
  const document = visit(parse(operation, { noLocation: true }), {
    VariableDefinition(definition) {
      if (definition.variable.name.value !== REPRESENTATIONS || !print(definition.type).startsWith('[_Any')) return undefined;
      return { ...definition, variable: renamed };
    },
    Field(field) {
      if (field.name.value !== '_entities') return undefined;
      const rename = (argument: ArgumentNode) => (argument.name.value === REPRESENTATIONS ? { ...argument, value: renamed } : argument);
      return { ...field, arguments: field.arguments?.map(rename) };
    },
  });
  return { text: stripIgnoredCharacters(print(document)), variable };
}
