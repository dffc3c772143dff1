import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { GenerationView } from '../../../gateway/index.ts';
import { useOf } from '../documents/directives.ts';
import { responseName, type ResultStep } from '../documents/selections.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { compileShape, type Shape } from './shape.ts';

/** Fields from which the state of a resource is computed for conditional requests (RFC 9110, section 8.8). */
export interface Validators {
  /** The field whose value differs after each change. */
  readonly version?: ResultVersion;
  /** Response name of the field with the time of the last change. */
  readonly lastModified?: string;
}

export interface ResultVersion {
  /** Response name of the field. */
  readonly name: string;
  /** Whether the version is an integer. Otherwise it is arbitrary text. */
  readonly isInteger: boolean;
  /** Text form of the shown fields. It is equal for operations that show the same fields. */
  readonly variant: string;
  /** Response names of shown fields that the version does not cover: fields of other objects or other subgraphs. */
  readonly uncovered: ReadonlySet<string>;
  /** Whether the version covers fields of other subgraphs, so that those subgraphs need no request if it is unchanged. */
  readonly sparesSubgraphs: boolean;
}

/** Returns the response names of the fields that headers are computed from. */
export function validatorNames({ version, lastModified }: Validators): readonly string[] {
  return [...(version === undefined ? [] : [version.name]), ...(lastModified === undefined ? [] : [lastModified])];
}

/** A field that is selected on the object of the response itself. */
interface Selected {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly typeName: string;
}

/** Built-in scalars that cannot be a version. Custom scalars can. */
const NO_VERSION: ReadonlySet<string> = new Set(['Float', 'Boolean']);
const NO_INSTANT: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean', 'ID']);

/**
 * Finds `@version` and `@lastModified` among the fields of the resource. Nested objects have their own resources, so their marks are
 * ignored.
 */
export function compileValidators(graph: MappedGraph, { node, field }: ResultStep, report: ProblemReport): Validators {
  if (node.selectionSet === undefined) return {};
  const selected = selectedOf(graph, node.selectionSet, getNamedType(field.type));
  const version = compileVersion(graph, node.selectionSet, selected, report);
  const lastModified = onlyOne(selected, 'lastModified', report);
  if (lastModified !== undefined && !isLeaf(lastModified, NO_INSTANT)) {
    report.at(
      lastModified.node,
      `${lastModified.field.name} has a type that cannot be used with @lastModified.`,
      'Mark a field whose value is a date and time in the format of RFC 3339.',
    );
  }
  return {
    ...(version === undefined ? {} : { version }),
    ...(lastModified === undefined ? {} : { lastModified: responseName(lastModified.node) }),
  };
}

function compileVersion(
  graph: MappedGraph,
  selectionSet: SelectionSetNode,
  selected: readonly Selected[],
  report: ProblemReport,
): ResultVersion | undefined {
  const found = onlyOne(selected, 'version', report);
  if (found === undefined) return undefined;
  if (!isLeaf(found, NO_VERSION)) {
    report.at(
      found.node,
      `${found.field.name} has a type that cannot be used with @version.`,
      'Mark a field of type Int, String or ID whose value differs after each change.',
    );
    return undefined;
  }
  const { whole: isWhole = false, except = [] } = useOf(found.node, 'version')?.values ?? {};
  const shown = selected.filter(({ node }) => useOf(node, 'internal') === undefined);
  const stranger = except.find((name) => !shown.some(({ node }) => responseName(node) === name));
  if (stranger !== undefined)
    report.at(
      found.node,
      `\`except\` names ${stranger}, which the resource does not show.`,
      'Use shown fields that can change without a change of the version.',
    );
  const uncovered = shown.filter((one) => except.includes(responseName(one.node)) || (!isWhole && !isCovered(graph, one, found)));
  return {
    name: responseName(found.node),
    isInteger: getNamedType(found.field.type).name === 'Int',
    variant: variantOf(compileShape(selectionSet)),
    sparesSubgraphs: isWhole && queriesOthers(graph, shown, graph.ownersOf?.(found.typeName, found.field.name)),
    uncovered: new Set(uncovered.map(({ node }) => responseName(node))),
  };
}

function variantOf(shape: Shape): string {
  return [...shape].map(([name, { fields }]) => (fields === undefined ? name : `${name}(${variantOf(fields)})`)).join();
}

/** Whether the version covers a field. It covers the scalar and enum fields of the same object in the same subgraph. */
function isCovered({ ownersOf }: MappedGraph, { node, field, typeName }: Selected, version: Selected): boolean {
  if (field.name === '__typename') return true;
  if (!isLeafType(getNamedType(field.type)) || takesVariables(node)) return false;
  if (ownersOf === undefined) return true;
  const owners = ownersOf(version.typeName, version.field.name);
  return [...ownersOf(typeName, field.name)].some((owner) => owners.has(owner));
}

/** Whether a field is shown, at any depth, that the subgraphs of the version do not resolve. */
function queriesOthers(graph: MappedGraph, shown: readonly Selected[], owners: ReadonlySet<string> | undefined): boolean {
  return shown.some(({ node, field, typeName }) => {
    if (owners === undefined) return false;
    const type = getNamedType(field.type);
    if (node.selectionSet !== undefined) return queriesOthers(graph, selectedOf(graph, node.selectionSet, type), owners);
    return ![...(graph.ownersOf?.(typeName, field.name) ?? [])].some((owner) => owners.has(owner));
  });
}

function takesVariables(node: FieldNode): boolean {
  let takes = false;
  visit(node, {
    Variable() {
      takes = true;
    },
  });
  return takes;
}

function selectedOf(graph: MappedGraph, selectionSet: SelectionSetNode, type: GraphQLNamedType): readonly Selected[] {
  return selectionSet.selections.flatMap((selection): readonly Selected[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return []; // Fragments are already inlined.
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const inner = selection.typeCondition === undefined ? type : graph.schema.getType(selection.typeCondition.name.value);
      return inner === undefined ? [] : selectedOf(graph, selection.selectionSet, inner);
    }
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined;
    return field === undefined ? [] : [{ node: selection, field, typeName: type.name }];
  });
}

function onlyOne(selected: readonly Selected[], name: 'version' | 'lastModified', report: ProblemReport): Selected | undefined {
  const [first, ...others] = selected.filter(({ node }) => useOf(node, name) !== undefined);
  const other = others.find(({ node }) => first !== undefined && responseName(node) !== responseName(first.node));
  if (other !== undefined)
    report.at(
      other.node,
      `A resource can have only one @${name}.`,
      'Keep it only on the field that changes whenever the resource changes.',
    );
  return first;
}

function isLeaf({ field }: Selected, excluded: ReadonlySet<string>): boolean {
  const type = getNamedType(field.type);
  return isLeafType(type) && !excluded.has(type.name) && !isListType(getNullableType(field.type));
}

/** The input of compilation: the public schema, and the subgraphs that own each field if there are several subgraphs. */
export type MappedGraph = Pick<GenerationView, 'schema' | 'ownersOf'>;
