import {
  getNamedType,
  getNullableType,
  GraphQLInt,
  type GraphQLField,
  type GraphQLOutputType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import type { ListSizeRule } from '../../supergraph/read-cost-rules.ts';

/** Fields of a page in which common pagination styles return the items. */
const LIST_FIELDS: readonly string[] = ['nodes', 'edges', 'items'];

/**
 * Derives the size of a field without `@listSize` from the names of its arguments. An `Int` argument with one of the names defines the
 * number of items, if the field returns a list, or an object with a list in `nodes`, `edges` or `items`. Zero and negative values count like
 * an absent argument, because a subgraph may read them as "no limit".
 *
 * @returns undefined when no argument is recognized
 */
export function recognizeSlicingArguments(
  field: GraphQLField<unknown, unknown>,
  argumentNames: readonly string[],
): ListSizeRule | undefined {
  const slicing = field.args.filter(({ name, type }) => argumentNames.includes(name) && getNullableType(type) === GraphQLInt);
  if (slicing.length === 0) return undefined;
  const slicingArguments = slicing.map(({ name }) => name);
  if (isList(field.type)) return { slicingArguments, sizedFields: [], requiresOneSlicingArgument: false, isRecognized: true };
  const sizedFields = listFieldsOf(field.type);
  if (sizedFields.length === 0) return undefined;
  return { slicingArguments, sizedFields, requiresOneSlicingArgument: false, isRecognized: true };
}

function listFieldsOf(outputType: GraphQLOutputType): readonly string[] {
  const type = getNamedType(outputType);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = type.getFields();
  return LIST_FIELDS.filter((name) => {
    const field = fields[name];
    return field !== undefined && isList(field.type);
  });
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}
