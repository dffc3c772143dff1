import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import { compilePageShape } from './compile-page-shape.ts';
import { compileUserErrors } from './compile-user-errors.ts';
import { useOf } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';
import type { Step } from './result-step.ts';
import type { ResultMapping } from './route.ts';
import { compileShape } from './shape.ts';

/** Finds the one `@result` of an operation whose fragments are inlined, and compiles what stands under it. */
export function compileResult(schema: GraphQLSchema, operation: OperationDefinitionNode, report: ProblemReport): ResultMapping | undefined {
  const root = schema.getRootType(operation.operation);
  const [first, ...others] = operation.selectionSet.selections;
  if (first === undefined || root === null || root === undefined) return undefined;
  if (others.length > 0 || first.kind !== Kind.FIELD) {
    report.at(others[0] ?? first, 'A REST operation selects exactly one root field.', 'Write one operation for each root field.');
    return undefined;
  }
  const found = findResults([first], root);
  const steps = found[0];
  if (steps === undefined) {
    report.at(operation, 'Nothing is marked as the answer.', 'Put @result on the field whose object is the resource, or the page.');
    return undefined;
  }
  if (found[1] !== undefined) {
    report.at(found[1].at(-1)?.node ?? operation, 'An operation has one @result.', 'Leave it on the field that is the answer.');
    return undefined;
  }
  return compileSteps(operation, steps, report);
}

function compileSteps(operation: OperationDefinitionNode, steps: readonly Step[], report: ProblemReport): ResultMapping | undefined {
  const last = steps.at(-1);
  const use = last && useOf(last.node, 'result');
  if (last === undefined || use === undefined || !checkSteps(steps, report)) return undefined;
  const isPage = use.values.shape === 'PAGE';
  const shape = isPage ? compilePageShape(last, report) : last.node.selectionSet && compileShape(last.node.selectionSet);
  if (shape === undefined) return undefined;
  const path = steps.map(({ node }) => node.alias?.value ?? node.name.value);
  const userErrors = operation.operation === OperationTypeNode.MUTATION ? compileUserErrors(operation, steps, report) : undefined;
  return { path, isPage, shape, ...(userErrors === undefined ? {} : { userErrors }) };
}

/** Every way from the root to a `@result` through plain fields. */
function findResults(selections: readonly FieldNode[], parent: GraphQLObjectType): readonly (readonly Step[])[] {
  return selections.flatMap((node): readonly (readonly Step[])[] => {
    const field = parent.getFields()[node.name.value];
    if (field === undefined) return [];
    const step: Step = { node, field, parent };
    const own: readonly (readonly Step[])[] = useOf(node, 'result') === undefined ? [] : [[step]];
    const type = getNamedType(field.type);
    if (!isObjectType(type) || node.selectionSet === undefined) return own;
    const below = node.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
    return [...own, ...findResults(below, type).map((steps) => [step].concat(steps))];
  });
}

function checkSteps(steps: readonly Step[], report: ProblemReport): boolean {
  for (const { node, field } of steps) {
    if (isListType(getNullableType<GraphQLOutputType>(field.type))) {
      report.at(
        node,
        `The answer stands in a list: ${node.name.value}.`,
        'Use a field that gives one object, or a connection with @result(shape: PAGE).',
      );
      return false;
    }
    if (!isCompositeType(getNamedType(field.type))) {
      report.at(node, 'The answer is an object; this field is none.', 'Put @result on the field that holds it.');
      return false;
    }
  }
  return true;
}
