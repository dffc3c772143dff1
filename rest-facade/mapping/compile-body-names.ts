import { type GraphQLInputObjectType } from 'graphql';
import type { DirectiveArguments, DirectiveUse } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What clients call those fields of the body that they call otherwise than the graph; what does not fit is reported. */
export function compileBodyNames(
  { node, values: { names } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): ReadonlyMap<string, string> {
  const fields = Object.keys(type.getFields());
  const byField = new Map(names.map(({ field, as }) => [field, as]));
  for (const { field, as } of names) {
    if (!fields.includes(field)) report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${fields.join(', ')}.`);
    if (!NAME.test(as)) report.at(node, `"${as}" is no name of a field.`, 'Write letters, digits and underscores.');
  }
  const shown = fields.map((field) => byField.get(field) ?? field);
  const twice = shown.find((name, index) => shown.indexOf(name) !== index);
  if (twice !== undefined || byField.size < names.length) {
    report.at(
      node,
      `Two fields of the body have one name${twice === undefined ? '' : `, ${twice}`}.`,
      'Give each field a name of its own, once.',
    );
  }
  return byField;
}
