import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import type { TypedVariable } from './variables.ts';

/** One element of the graph's sort argument. */
export interface SortTerm {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

export interface SortBinding {
  readonly variable: string;
  /** Maps sort keys of clients to enum values of the graph. */
  readonly keys: ReadonlyMap<string, string>;
  /** Order for requests without a sort key. If it is empty, the graph decides. */
  readonly fallback: readonly SortTerm[];
  /** Field that is appended to every order, so that no item appears on two pages. Absent if the graph cannot sort by id. */
  readonly tieBreaker?: string;
}

const HINT = 'Use a list of input objects with two fields: `field`, an enum, and `direction`, an enum with ASC and DESC.';

/** Compiles the variable that receives the order of a list. */
export function compileSorting(variables: readonly TypedVariable[], report: ProblemReport): SortBinding | undefined {
  const [variable, second] = variables.filter(({ node }) => useOf(node, 'sort') !== undefined);
  if (second !== undefined)
    report.at(
      second.node,
      'An operation can have only one @sort.',
      'Keep @sort only on the variable that orders the list in the response.',
    );
  return variable && compileSort(variable, report);
}

/** Compiles the allowed sort keys and checks each of them against the enum of the graph. */
function compileSort(variable: TypedVariable, report: ProblemReport): SortBinding | undefined {
  const use = useOf(variable.node, 'sort');
  const fields = sortFields(variable.nullable);
  if (use === undefined) return undefined;
  if (fields === undefined) {
    report.at(variable.node, `$${variable.name} has a type that cannot be used with @sort.`, HINT);
    return undefined;
  }
  const keys = new Map<string, string>();
  for (const key of use.values.allow) {
    const field = toEnumValue(key);
    if (fields.has(field)) keys.set(key, field);
    else
      report.at(
        use.node,
        `The graph cannot sort by "${key}": the enum has no value ${field}.`,
        `The available keys are ${[...fields].map(toKey).join(', ')}.`,
      );
  }
  const fallback = use.values.default.flatMap((text): readonly SortTerm[] => {
    const term = readSortTerm(text, keys);
    if (term === undefined)
      report.at(
        use.node,
        `The default order contains "${text}", which is not listed in \`allow\`.`,
        `The allowed keys are ${[...keys.keys()].join(', ')}.`,
      );
    return term === undefined ? [] : [term];
  });
  const tieBreaker = fields.has('ID') ? 'ID' : undefined;
  return {
    variable: variable.name,
    keys,
    fallback: withTieBreaker(fallback, tieBreaker),
    ...(tieBreaker === undefined ? {} : { tieBreaker }),
  };
}

/** Returns the sort keys of an argument that @sort can set, or none for other types. */
export function sortKeysOf(type: GraphQLInputType): readonly string[] {
  const fields = sortFields(unwrap(type)) ?? new Set<string>();
  return [...fields].map(toKey).filter((key) => fields.has(toEnumValue(key)));
}

function sortFields(type: GraphQLInputType): ReadonlySet<string> | undefined {
  if (!isListType(type)) return undefined;
  const element = unwrap(type.ofType);
  if (!isInputObjectType(element)) return undefined;
  const field = element.getFields()['field'];
  const direction = element.getFields()['direction'];
  const fieldType = field && unwrap(field.type);
  const directionType = direction && unwrap(direction.type);
  if (!isEnumType(fieldType) || !isEnumType(directionType)) return undefined;
  if (!directionType.getValue('ASC') || !directionType.getValue('DESC')) return undefined;
  return new Set(fieldType.getValues().map(({ name }) => name));
}

function unwrap(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) ? type.ofType : type;
}

/** Converts `createdAt` to `CREATED_AT`. */
function toEnumValue(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
}

/** Converts `CREATED_AT` to `createdAt`. */
function toKey(value: string): string {
  return value.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads one sort key. A minus sign means descending. Returns undefined for a key that is not allowed. */
export function readSortTerm(text: string, keys: ReadonlyMap<string, string>): SortTerm | undefined {
  const isDescending = text.startsWith('-');
  const field = keys.get(isDescending ? text.slice(1) : text);
  return field === undefined ? undefined : { field, direction: isDescending ? 'DESC' : 'ASC' };
}

/** Appends the tie-breaker to an order, so that no item appears on two pages. */
export function withTieBreaker(terms: readonly SortTerm[], tieBreaker: string | undefined): readonly SortTerm[] {
  if (tieBreaker === undefined || terms.length === 0 || terms.some(({ field }) => field === tieBreaker)) return terms;
  return [...terms, { field: tieBreaker, direction: 'ASC' }];
}
