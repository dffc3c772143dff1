import { type GraphQLInputObjectType, type GraphQLInputType, isEnumType, isListType, isNonNullType, isScalarType } from 'graphql';
import type { DirectiveArguments, DirectiveUse } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import type { BodyField } from './body-fields.ts';
import type { BodyLimit } from './body-limits.ts';

const OF_LISTS = ['minItems', 'maxItems', 'uniqueItems'] as const;
const OF_TEXTS = ['notBlank', 'minLength', 'maxLength', 'format', 'values'] as const;
const OF_NUMBERS = ['minimum', 'maximum', 'decimals'] as const;

const PAIRS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

/** Compiles the limits of the fields of an input object and reports limits that do not fit. */
export function compileBodyLimits(
  { node, values: { limits } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): readonly BodyLimit[] {
  const fields = type.getFields();
  const known = `Its fields are ${Object.keys(fields).join(', ')}.`;
  const seen = new Set<string>();
  return limits.flatMap((limit): readonly BodyLimit[] => {
    const { field } = limit;
    if (typeof field !== 'string') {
      report.at(node, 'A limit does not name its field.', `Add \`field: "…"\`. The body is a ${type.name}. ${known}`);
      return [];
    }
    const input = fields[field];
    if (input === undefined) {
      report.at(node, `${type.name} has no field ${field}.`, known);
      return [];
    }
    checkLimit({ node, field, type: input.type, isRepeated: seen.has(field) }, limit, report);
    seen.add(field);
    return [{ ...limit, field }];
  });
}

/** Compiles the limits of a variable that is one field of the body. Its entry of `limits` needs no `field`. */
export function compileFieldLimits({ use, name, field, type }: BodyField, report: ProblemReport): readonly BodyLimit[] {
  const { node, values } = use;
  const found: BodyLimit[] = [];
  for (const limit of values.limits) {
    if (typeof limit.field === 'string' && limit.field !== field)
      report.at(
        node,
        `The limit is for the field "${limit.field}", but $${name} is the field "${field}".`,
        'Remove `field` from the limit. It applies to the variable.',
      );
    checkLimit({ node, field, type, isRepeated: found.length > 0 }, limit, report);
    found.push({ ...limit, field: name });
  }
  return found;
}

interface LimitedField {
  readonly node: DirectiveUse<object>['node'];
  /** Name of the field, for messages. */
  readonly field: string;
  readonly type: GraphQLInputType;
  /** Whether an earlier entry has the same field. */
  readonly isRepeated: boolean;
}

type Limits = Omit<BodyLimit, 'field'>;

function checkLimit({ node, field, type, isRepeated }: LimitedField, limit: Limits, report: ProblemReport): void {
  if (isRepeated) report.at(node, `The limits of ${field} are declared twice.`, 'Declare them in one entry of `limits`.');
  const strange = strangeTo(type, limit);
  if (strange !== undefined)
    report.at(node, `The limit ${strange} does not apply to ${field}, which has the type ${type.toString()}.`, 'Remove the limit.');
  for (const [least, most] of PAIRS) {
    if ((limit[least] ?? -Infinity) > (limit[most] ?? Infinity))
      report.at(node, `\`${least}\` is greater than \`${most}\` for ${field}.`, 'Write the smaller number as the minimum.');
  }
}

/** Returns the first limit that does not apply to the type of the field. */
function strangeTo(type: GraphQLInputType, limit: Limits): string | undefined {
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
