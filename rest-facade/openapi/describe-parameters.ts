import { type GraphQLLeafType, type GraphQLSchema, isEnumType, isLeafType, isListType, isNonNullType } from 'graphql';
import { COUNT_PARAMETER } from '../compile/result/collection.ts';
import type { SortBinding, SortTerm } from '../compile/bindings/sort.ts';
import { useOf } from '../compile/documents/directives.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { Shape } from '../compile/result/shape.ts';
import { readTypedVariables, type TypedVariable } from '../compile/bindings/variables.ts';
import type { FieldLimits } from '../request/parameters/field-selection.ts';
import type { PageLimits } from '../request/parameters/page-request.ts';
import type { Components } from './schemas/components.ts';
import { INTEGER_ID, leafSchema } from './schemas/leaf-schema.ts';
import type { JsonSchema, Parameter, Reference } from './openapi-document.ts';

export interface ParameterContext {
  readonly schema: GraphQLSchema;
  readonly components: Components;
  readonly limits: PageLimits & FieldLimits;
}

/** Maximum number of names that a parameter lists as an enum. With more names, a pattern is used. @unit names */
const MAX_LISTED_NAMES = 100;

/** Describes the path, query and header parameters that are specific to a route. */
export function describeParameters(route: RestRoute, context: ParameterContext): readonly (Parameter | Reference)[] {
  const variables = new Map(readTypedVariables(context.schema, route.declared).map((variable) => [variable.name, variable]));
  const path = route.bindings.path.map(({ variable, name }): Parameter => {
    const schema = valueSchema(variables.get(variable), context.components);
    return { name, in: 'path', required: true, schema: schema.type === 'string' ? { ...schema, minLength: 1 } : schema };
  });
  const query = route.bindings.query.map(({ variable, name, isRequired }): Parameter => {
    const schema = valueSchema(variables.get(variable), context.components);
    return { name, in: 'query', ...(isRequired ? { required: true } : {}), ...(schema.type === 'array' ? CSV : {}), schema };
  });
  const headers = route.bindings.headers.map(({ variable, name, isRequired }): Parameter => {
    const schema = valueSchema(variables.get(variable), context.components);
    return { name, in: 'header', ...(isRequired ? { required: true } : {}), schema };
  });
  const { sort } = route.bindings;
  const isPaged = route.bindings.page !== undefined;
  return [
    ...path,
    ...query,
    ...Object.keys(PAGE_NAMES).flatMap((name) => (isPaged && route.bindings.parameters.has(name) ? [shared(name)] : [])),
    ...(sort === undefined ? [] : [sortParameter(sort)]),
    ...(route.bindings.parameters.has(COUNT_PARAMETER) ? [shared(COUNT_PARAMETER)] : []),
    ...headers,
    ...(route.bindings.parameters.has('fields') ? [fieldsParameter(route, context)] : []),
  ];
}

const COUNT: Parameter = {
  name: COUNT_PARAMETER,
  in: 'query',
  description: '`none` omits the totals. Counting can take longer than the rest of the request.',
  schema: { type: 'string', enum: ['none'] },
};

/** Comma-separated values. */
const CSV = { style: 'form', explode: false } as const;

/** Returns the schema of a value that is read from text, as the reader of its type accepts it. */
function valueSchema(variable: TypedVariable | undefined, components: Components): JsonSchema {
  if (variable === undefined) return {};
  const { nullable, node } = variable;
  const item = isListType(nullable) ? nullable.ofType : nullable;
  const leaf = isNonNullType(item) ? item.ofType : item;
  if (!isLeafType(leaf)) return {};
  const schema = useOf(node, 'integer') === undefined ? textSchema(leaf, components) : INTEGER_ID;
  return isListType(nullable) ? { type: 'array', items: schema, minItems: 1 } : schema;
}

/** Pattern for text without control characters, written so that every regular expression dialect accepts it. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

function textSchema(leaf: GraphQLLeafType, components: Components): JsonSchema {
  const schema = leafSchema(leaf, components);
  if (isEnumType(leaf)) return schema;
  if (leaf.name === 'String') return { ...schema, pattern: NO_CONTROL_CHARACTERS };
  return leaf.name === 'ID' ? { ...schema, minLength: 1, pattern: NO_CONTROL_CHARACTERS } : schema;
}

/** Names of the parameters of all pages in the components, by their names in requests. */
const PAGE_NAMES: Readonly<Record<string, string>> = { page: 'Page', size: 'Size', limit: 'Limit', first: 'First', after: 'After' };

function shared(name: string): Reference {
  return { $ref: `#/components/parameters/${PAGE_NAMES[name] ?? 'Count'}` };
}

/** Describes the parameters of all pages, by their names in the components. */
export function pageParameters({ defaultPageSize, maxPageSize, maxOffset }: PageLimits): Readonly<Record<string, Parameter>> {
  const clamped = `A value above ${maxPageSize} is reduced to ${maxPageSize}. The response contains the effective size.`;
  const described: readonly Parameter[] = [
    count('page', `Page number. Pages that start after item ${maxOffset} are rejected. Cannot be combined with \`first\` and \`after\`.`, {
      default: 1,
      maximum: maxOffset + 1,
    }),
    count('size', `Number of items per page. ${clamped}`, { default: defaultPageSize }),
    count('limit', 'Alias of `size`. If both are sent, the smaller value applies.'),
    count('first', `Number of items after the cursor. ${clamped}`),
    {
      name: 'after',
      in: 'query',
      description:
        'Cursor after which the page starts: `nextCursor` of the previous page. Cannot be combined with `page`, `size` and `limit`.',
      schema: { type: 'string', minLength: 1, pattern: NO_CONTROL_CHARACTERS },
    },
  ];
  return { ...Object.fromEntries(described.map((parameter) => [PAGE_NAMES[parameter.name], parameter])), Count: COUNT };
}

function count(name: string, description: string, more: Pick<JsonSchema, 'default' | 'maximum'> = {}): Parameter {
  return { name, in: 'query', description, schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...more } };
}

function sortParameter({ keys, fallback }: SortBinding): Parameter {
  const names = new Map([...keys].map(([key, field]) => [field, key]));
  const toKey = ({ field, direction }: SortTerm): readonly string[] => {
    const key = names.get(field);
    return key === undefined ? [] : [direction === 'DESC' ? `-${key}` : key];
  };
  const defaults = fallback.flatMap(toKey);
  return {
    name: 'sort',
    in: 'query',
    description:
      'Comma-separated sort keys. A minus sign before a key sorts in descending order. If a key is repeated, the first one applies.',
    ...CSV,
    schema: {
      type: 'array',
      items: { type: 'string', enum: [...keys.keys()].flatMap((key) => [key, `-${key}`]) },
      minItems: 1,
      maxItems: keys.size,
      ...(defaults.length === 0 ? {} : { default: defaults }),
    },
  };
}

function fieldsParameter(
  { operationName, result }: RestRoute,
  { components, limits: { maxFields, maxFieldDepth } }: ParameterContext,
): Parameter {
  const names = ['*', ...namesOf(result.shape, maxFieldDepth)];
  const schema: JsonSchema = {
    type: 'array',
    items: { type: 'string', ...(names.length > MAX_LISTED_NAMES ? { pattern: '^(?:\\*|\\w+(?:\\.\\w+)*)$' } : { enum: names }) },
    minItems: 1,
    maxItems: maxFields,
  };
  return {
    name: 'fields',
    in: 'query',
    description: 'Comma-separated names of the fields to return, with dots for nested fields.',
    ...CSV,
    // Operations on one resource have the same names.
    schema: components.refer(`fields ${JSON.stringify(schema)}`, `${operationName}Fields`, () => schema),
  };
}

function namesOf(shape: Shape, depth: number): readonly string[] {
  if (depth === 0) return [];
  return [...shape].flatMap(([name, { fields }]) => {
    const parts = fields === undefined ? [] : namesOf(fields, depth - 1);
    return [name].concat(parts.map((part) => `${name}.${part}`));
  });
}
