import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { type DirectiveArguments, useOf } from '../documents/directives.ts';
import { responseName, type ResultStep } from '../documents/selections.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { type CollectionMapping, compileCollection } from './collection.ts';
import { compileShape, type Shape } from './shape.ts';
import { compileUserErrors, type UserErrorsMapping } from './user-errors.ts';
import { compileValidators, type MappedGraph, type Validators } from './validators.ts';

/** Position and shape of the resource in the data of the operation. */
export interface ResultMapping {
  /** Response names from the root of the data to the result. */
  readonly path: readonly string[];
  /** Present for a page or a list. */
  readonly collection?: CollectionMapping;
  /** Whether the items are returned in a page object. */
  readonly isPage: boolean;
  /** Fields that the resource shows. For a page, the fields of one item. */
  readonly shape: Shape;
  /** Validators of the resource. Empty for a page, because a removed item changes the page without a trace. */
  readonly validators: Validators;
  /** Response names of shown fields from the parent of the result. They are part of the shape. Absent if there are none. */
  readonly hoisted?: readonly string[];
  readonly userErrors?: UserErrorsMapping;
}

type ResultKind = DirectiveArguments['result']['shape'];

/** Shape of an empty response. */
const NOTHING: Shape = new Map();

/** Finds the `@result` of an operation with inlined fragments, and compiles the selection below it. */
export function compileResult(graph: MappedGraph, operation: OperationDefinitionNode, report: ProblemReport): ResultMapping | undefined {
  const root = graph.schema.getRootType(operation.operation);
  const [first, ...others] = operation.selectionSet.selections;
  if (first === undefined || root === null || root === undefined) return undefined;
  if (others.length > 0 || first.kind !== Kind.FIELD) {
    report.at(others[0] ?? first, 'A REST operation must select exactly one root field.', 'Write one operation for each root field.');
    return undefined;
  }
  const found = findResults([first], root);
  const steps = found[0];
  if (steps === undefined) {
    report.at(operation, 'The operation has no @result.', 'Put @result on the field that is the resource or the page.');
    return undefined;
  }
  if (found[1] !== undefined) {
    report.at(
      found[1].at(-1)?.node ?? operation,
      'An operation can have only one @result.',
      'Keep @result only on the field that the response contains.',
    );
    return undefined;
  }
  return compileSteps(graph, operation, steps, report);
}

function compileSteps(
  graph: MappedGraph,
  operation: OperationDefinitionNode,
  steps: readonly ResultStep[],
  report: ProblemReport,
): ResultMapping | undefined {
  const last = steps.at(-1);
  const use = last && useOf(last.node, 'result');
  if (last === undefined || use === undefined || !checkSteps(steps, use.values.shape, report)) return undefined;
  const path = steps.map(({ node }) => node.alias?.value ?? node.name.value);
  const { shape: kind } = use.values;
  if (kind === 'PAGE' || kind === 'LIST') {
    const compiled = compileCollection(last, kind === 'LIST', report);
    if (compiled === undefined) return undefined;
    const { collection, items } = compiled;
    return { path, isPage: kind === 'PAGE', collection, shape: compileShape(items.selectionSet, items.owner), validators: {} };
  }
  const shown = last.node.selectionSet && compileHoist(steps, last.node.selectionSet, report);
  const shape = shown === undefined ? NOTHING : compileShape(shown.selectionSet, last.node);
  const userErrors = operation.operation === OperationTypeNode.MUTATION ? compileUserErrors(operation, steps, report) : undefined;
  const validators = compileValidators(graph, last, report);
  const hoisted = shown === undefined || shown.hoisted.length === 0 ? {} : { hoisted: shown.hoisted };
  return { path, isPage: false, shape, validators, ...hoisted, ...(userErrors === undefined ? {} : { userErrors }) };
}

/** Returns every path of plain fields from the root to a `@result`. */
function findResults(selections: readonly FieldNode[], parent: GraphQLObjectType): readonly (readonly ResultStep[])[] {
  return selections.flatMap((node): readonly (readonly ResultStep[])[] => {
    const field = parent.getFields()[node.name.value];
    if (field === undefined) return [];
    const step: ResultStep = { node, field, parent };
    const own: readonly (readonly ResultStep[])[] = useOf(node, 'result') === undefined ? [] : [[step]];
    const type = getNamedType(field.type);
    if (!isObjectType(type) || node.selectionSet === undefined) return own;
    const below = node.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
    return [...own, ...findResults(below, type).map((steps) => [step].concat(steps))];
  });
}

function checkSteps(steps: readonly ResultStep[], kind: ResultKind, report: ProblemReport): boolean {
  for (const [index, { node, field }] of steps.entries()) {
    const mayBeList = kind === 'LIST' && index === steps.length - 1;
    if (!mayBeList && isListType(getNullableType<GraphQLOutputType>(field.type))) {
      report.at(
        node,
        `The result is inside a list: ${node.name.value}.`,
        'Use a field that returns one object, a connection with @result(shape: PAGE), or the list itself with @result(shape: LIST).',
      );
      return false;
    }
    if (kind !== 'NONE' && !isCompositeType(getNamedType(field.type))) {
      report.at(
        node,
        `The result must be an object, but ${node.name.value} is a scalar or enum.`,
        'Put @result on the object that contains the field, or write @result(shape: NONE).',
      );
      return false;
    }
  }
  return true;
}

/** The fields of a response, including the fields marked with `@hoist`. */
export interface ShownFields {
  readonly selectionSet: SelectionSetNode;
  /** Response names of the fields marked with `@hoist`. */
  readonly hoisted: readonly string[];
}

/** Adds the fields marked with `@hoist`, next to the result, to the fields of the result. */
function compileHoist(steps: readonly ResultStep[], own: SelectionSetNode, report: ProblemReport): ShownFields {
  const nodes = (steps.at(-2)?.node.selectionSet?.selections ?? []).filter(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && useOf(selection, 'hoist') !== undefined,
  );
  const shown = new Set(own.selections.map((selection) => (selection.kind === Kind.FIELD ? responseName(selection) : '')));
  for (const node of nodes) {
    const name = responseName(node);
    if (shown.has(name)) report.at(node, `The response has two fields named ${name}.`, 'Give one of them an alias.');
    if (node.selectionSet !== undefined)
      report.at(
        node,
        '@hoist can be used only on a scalar or enum field.',
        'Remove @hoist, or put @result on the object that the response contains.',
      );
  }
  return { selectionSet: { ...own, selections: [...own.selections, ...nodes] }, hoisted: nodes.map(responseName) };
}
