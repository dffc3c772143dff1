import { type GraphQLInputObjectType, type GraphQLInputType, isEnumType, isListType, isNonNullType, isScalarType } from 'graphql';
import type { BodyLimit } from '../request/body-limits.ts';
import type { DirectiveArguments, DirectiveUse } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';

const OF_LISTS = ['minItems', 'maxItems', 'uniqueItems'] as const;
const OF_TEXTS = ['notBlank', 'minLength', 'maxLength', 'format', 'values'] as const;
const OF_NUMBERS = ['minimum', 'maximum', 'decimals'] as const;

const PAIRS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

/** The limits of a body's fields; what does not fit is reported. */
export function compileBodyLimits(
  { node, values: { limits } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): readonly BodyLimit[] {
  const fields = type.getFields();
  const seen = new Set<string>();
  for (const limit of limits) {
    const { field } = limit;
    const input = fields[field];
    if (input === undefined) {
      report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${Object.keys(fields).join(', ')}.`);
      continue;
    }
    if (seen.has(field)) report.at(node, `The limits of ${field} stand in two places.`, 'Say them together.');
    seen.add(field);
    const strange = strangeTo(input.type, limit);
    if (strange !== undefined)
      report.at(node, `${field} is a ${input.type.toString()}, which ${strange} says nothing about.`, 'Leave it out.');
    for (const [least, most] of PAIRS) {
      if ((limit[least] ?? -Infinity) > (limit[most] ?? Infinity))
        report.at(node, `Nothing has ${least} and ${most} of ${field}.`, 'Write the smaller number first.');
    }
  }
  return limits;
}

/** A limit that goes with other types than that of the field. */
function strangeTo(type: GraphQLInputType, limit: BodyLimit): string | undefined {
  const nullable = isNonNullType(type) ? type.ofType : type;
  const item = isListType(nullable) ? nullable.ofType : nullable;
  const leaf: GraphQLInputType = isNonNullType(item) ? item.ofType : item;
  const isNumber = isScalarType(leaf) && (leaf.name === 'Int' || leaf.name === 'Float');
  const isText = !isNumber && (isScalarType(leaf) ? leaf.name !== 'Boolean' : isEnumType(leaf));
  const strange = [
    ...(isNonNullType(type) ? (['notNull'] as const) : []),
    ...(isListType(nullable) ? [] : OF_LISTS),
    ...(isText ? [] : OF_TEXTS),
    ...(isNumber ? [] : OF_NUMBERS),
  ];
  return strange.find((name) => limit[name] != null && limit[name] !== false);
}
