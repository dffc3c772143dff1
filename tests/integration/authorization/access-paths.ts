import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import type { Policy } from '../../fixtures/authorization/policy.ts';

/** A path from a root field to an object. */
export interface Route {
  /** Type of the object. */
  readonly type: string;
  readonly kind: 'query' | 'mutation';
  /** The operation without its keyword. `%` is the position of the fields of the object. */
  readonly text: string;
}

/** One operation of the matrix. */
export interface AccessCase {
  /** Coordinate that is protected. */
  readonly coordinate: string;
  /** Name of the form in which the field is written. */
  readonly form: string;
  readonly route: Route;
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A field that is selected on the object of a route. */
export interface QueryRequest {
  readonly field: string;
  /** The field with its selections. */
  readonly text: string;
  /** Whether other fields of the type are under exactly the same rule, so that not every form is tested. @defaultValue false */
  readonly isOneOfMany?: boolean;
}

interface Written {
  readonly selection: string;
  readonly fragments?: string;
}

interface FormContext {
  readonly type: GraphQLObjectType;
  readonly interfaces: readonly string[];
  readonly request: QueryRequest;
}

type Representation = (context: FormContext) => Written | undefined;

const VARIABLES = { on: true, off: false };

/** Ways to write one field of an object. A form that does not apply to a field returns undefined. */
const FORMS: Readonly<Record<string, Representation>> = {
  direct: ({ request }) => ({ selection: request.text }),
  'after what is open': ({ request }) => ({ selection: `__typename ${request.text}` }),
  alias: ({ request }) => ({ selection: `renamed: ${request.text}` }),
  'two aliases': ({ request }) => ({ selection: `one: ${request.text} two: ${request.text}` }),
  'alias that is the name of a key': ({ request }) => (request.field === 'id' ? undefined : { selection: `id: ${request.text}` }),
  'alias that is the name of an owner': ({ request }) =>
    request.field === 'userId' ? undefined : { selection: `userId: ${request.text}` },
  'the field twice': ({ request }) => ({ selection: `${request.text} ${request.text}` }),
  'inline fragment': ({ type, request }) => ({ selection: `... on ${type.name} { ${request.text} }` }),
  'inline fragment without a type': ({ request }) => ({ selection: `... { ${request.text} }` }),
  'named fragment': ({ type, request }) => ({ selection: '...F', fragments: `fragment F on ${type.name} { ${request.text} }` }),
  'named fragments in one another': ({ type, request }) => ({
    selection: '__typename ...G',
    fragments: `fragment F on ${type.name} { ... { ${request.text} } } fragment G on ${type.name} { __typename ...F }`,
  }),
  'fragment beside the field': ({ type, request }) => ({ selection: `${request.text} ... on ${type.name} { ${request.text} }` }),
  'fragment on an interface around it': ({ type, interfaces: [node], request }) =>
    node === undefined ? undefined : { selection: `... on ${node} { __typename ... on ${type.name} { ${request.text} } }` },
  '@include by variable': ({ request }) => ({ selection: `__typename ... @include(if: $on) { ${request.text} }` }),
  '@skip by variable': ({ request }) => ({ selection: `__typename ... @skip(if: $off) { ${request.text} }` }),
  '@include that is off': ({ request }) => ({ selection: `__typename ... @include(if: $off) { ${request.text} }` }),
  '@defer': ({ request }) => ({ selection: `__typename ... @defer { ${request.text} }` }),
};

/**
 * Builds cases for every protected coordinate that routes lead to, by every route and every form. The first route to a type uses each form,
 * other routes every second form in turn. Fields that only the rule of their type guards use every fourth form. `requests` lists the fields
 * that need arguments, by their type.
 *
 * @param takesAll whether each form is used on each route, for each field. @defaultValue false
 */
export function accessCases(
  { monolith: schema, policy }: Pick<GuardedGraph, 'monolith' | 'policy'>,
  routes: readonly Route[],
  requests: Readonly<Record<string, readonly QueryRequest[]>> = {},
  takesAll = false,
): readonly AccessCase[] {
  return routes.flatMap((route, position) => {
    const isFirst = routes.findIndex(({ type }) => type === route.type) === position;
    const type = schema.getType(route.type);
    if (!isObjectType(type)) throw new Error(`The schema has no object type ${route.type}.`);
    const interfaces = type.getInterfaces().map(({ name }) => name);
    const plain = Object.values(type.getFields()).flatMap((field, index) => requestsOf({ field, type, index }, policy));
    const cases = [...plain, ...(requests[type.name] ?? [])].flatMap((request) =>
      Object.entries(FORMS).flatMap(([form, write], index) => {
        if (!takesAll && (index + position) % (request.isOneOfMany === true ? 4 : isFirst ? 1 : 2) !== 0) return [];
        if (route.kind === 'mutation' && isRoot(route) && form === '@defer') return []; // The root of a mutation rejects `@defer`.
        const written = write({ type, interfaces, request });
        return written === undefined ? [] : [toCase(`${type.name}.${request.field}`, form, route, written)];
      }),
    );
    return [...cases, ...ofTypeOnly(type, interfaces, policy, route)];
  });
}

function isRoot({ text }: Route): boolean {
  return text.trim() === '{ % }';
}

/** Builds cases for the existence of an object, which is protected with its type, and for the fields that its interfaces show. */
function ofTypeOnly(type: GraphQLObjectType, interfaces: readonly string[], policy: Policy, route: Route): readonly AccessCase[] {
  if (policy[type.name] === undefined) return [];
  const shown = interfaces.map((name): [string, Written] => [`interface ${name}`, { selection: `... on ${name} { __typename id }` }]);
  const forms: readonly [string, Written][] = [['__typename only', { selection: '__typename' }], ...shown];
  return forms.map(([form, written]) => toCase(type.name, form, route, written));
}

interface Field {
  readonly field: GraphQLField<unknown, unknown>;
  readonly type: GraphQLObjectType;
  readonly index: number;
}

/** Returns the field if a rule applies to it, to its type, or to its return type. */
function requestsOf({ field, type, index }: Field, policy: Policy): readonly QueryRequest[] {
  const returned = getNamedType(field.type);
  const isGuarded = [`${type.name}.${field.name}`, returned.name].some((coordinate) => policy[coordinate] !== undefined);
  if (!(isGuarded || policy[type.name] !== undefined) || field.args.some((argument) => isRequiredArgument(argument))) return [];
  const isOneOfMany = !isGuarded && index >= 2;
  return [{ field: field.name, text: `${field.name}${selectionsOf(field, 3)}`, isOneOfMany }];
}

function selectionsOf(field: GraphQLField<unknown, unknown>, depth: number): string {
  const returned = getNamedType(field.type);
  if (!isCompositeType(returned)) return '';
  if (isUnionType(returned) || depth === 0) return ' { __typename }';
  const fields = Object.values(returned.getFields()).filter(({ args }) => !args.some((argument) => isRequiredArgument(argument)));
  const leaves = fields.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name);
  const inner = fields.find(({ name }) => name === 'nodes' || name === 'events' || name === 'items');
  const nested = inner === undefined ? [] : [`${inner.name}${selectionsOf(inner, depth - 1)}`];
  const selections = [...leaves.slice(0, 4), ...nested];
  return ` { ${selections.length === 0 ? '__typename' : selections.join(' ')} }`;
}

function toCase(coordinate: string, form: string, route: Route, { selection, fragments = '' }: Written): AccessCase {
  const body = route.text.replace('%', selection);
  const used = Object.entries(VARIABLES).filter(([name]) => body.includes(`$${name}`));
  const head = used.length === 0 ? '' : `(${used.map(([name]) => `$${name}: Boolean!`).join(' ')})`;
  return {
    coordinate,
    form,
    route,
    text: `${route.kind} ${head} ${body} ${fragments}`.trim(),
    variables: Object.fromEntries(used),
  };
}
