import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf, selectOperation } from '../operation/select-operation.ts';
import { parseDocument } from '../operation/parse-document.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

/** Values of the built-in scalars. Custom ones get a text. */
const SCALARS: Readonly<Record<string, unknown>> = { Int: 1, Float: 1.5, Boolean: true };

const ITEMS_PER_LIST = 2;

/** Request of a subgraph while its response is made. */
interface SampledRequest {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Data = Record<string, unknown>;

/** Creates an executor that sends nothing and returns made-up values of the types in the public schema. Other fields are null. */
export function createSampleExecutor(schema: GraphQLSchema): SubgraphExecutor {
  return async ({ body }) => {
    const { query, variables = {} } = JSON.parse(body) as {
      readonly query: string;
      readonly variables?: Readonly<Record<string, unknown>>;
    };
    const document = parseDocument(query, { maxTokens: Number.MAX_SAFE_INTEGER, noLocation: true });
    const request = { schema, fragments: fragmentsOf(document), variables };
    const data: Data = {};
    addFields(data, schema.getQueryType() ?? undefined, selectOperation(document).selectionSet, request);
    return { data, needsNoEscape: true };
  };
}

/** Adds the selected fields of an object of a type. */
function addFields(data: Data, type: GraphQLNamedType | undefined, { selections }: SelectionSetNode, request: SampledRequest): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      data[key] = valueOf(selection, type, request, data[key]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (applies(selection.typeCondition?.name.value, type, request)) addFields(data, type, selection.selectionSet, request);
    } else {
      const fragment = request.fragments.get(selection.name.value);
      if (fragment !== undefined && applies(fragment.typeCondition.name.value, type, request))
        addFields(data, type, fragment.selectionSet, request);
    }
  }
}

function applies(condition: string | undefined, type: GraphQLNamedType | undefined, { schema }: SampledRequest): boolean {
  if (condition === undefined || condition === type?.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && isObjectType(type) && schema.isSubType(abstract, type);
}

/** @param known value of another field with the same key, whose selections are merged */
function valueOf(field: FieldNode, type: GraphQLNamedType | undefined, request: SampledRequest, known: unknown): unknown {
  const name = field.name.value;
  if (name === '__typename') return type?.name;
  if (name === '_entities') return entitiesOf(field, request);
  const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return definition === undefined ? null : sampleOf(definition.type, field, request, known);
}

function entitiesOf({ arguments: args = [], selectionSet }: FieldNode, request: SampledRequest): unknown {
  const [value] = args.map((arg) => arg.value);
  const representations = value?.kind === Kind.VARIABLE ? request.variables[value.name.value] : [];
  return (representations as readonly { readonly __typename: string }[]).map(({ __typename }) => {
    const data: Data = {};
    if (selectionSet !== undefined) addFields(data, request.schema.getType(__typename), selectionSet, request);
    return data;
  });
}

function sampleOf(output: GraphQLOutputType, field: FieldNode, request: SampledRequest, known: unknown): unknown {
  const type = getNullableType(output);
  if (isListType(type)) {
    const items: readonly unknown[] = Array.isArray(known) ? known : [];
    return Array.from({ length: ITEMS_PER_LIST }, (_, index) => sampleOf(type.ofType, field, request, items[index]));
  }
  if (field.selectionSet === undefined) return isEnumType(type) ? type.getValues()[0]?.name : (SCALARS[String(type)] ?? 'sample');
  const concrete = isAbstractType(type) ? request.schema.getPossibleTypes(type)[0] : type;
  const data = typeof known === 'object' && known !== null ? (known as Data) : {};
  addFields(data, concrete as GraphQLNamedType, field.selectionSet, request);
  return data;
}
