import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { usesOf } from '../documents/directives.ts';
import { parametersOf, parsePathTemplate } from '../endpoint/path-template.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { hiddenName, type LinkUse } from './link.ts';

/**
 * Adds the fields that links need to the selections, under separate response names. `fields` narrows the shown fields and does not affect
 * the fields of links. Reports fields that a link cannot read.
 */
export function addLinkFields(schema: GraphQLSchema, operation: OperationDefinitionNode, report: ProblemReport): OperationDefinitionNode {
  const typeInfo = new TypeInfo(schema);
  const leave = (node: FieldNode | InlineFragmentNode): FieldNode | InlineFragmentNode | undefined => {
    const uses = usesOf(node, 'link');
    const type = typeInfo.getType();
    if (uses.length === 0) return undefined;
    if (node.selectionSet === undefined || type === null || type === undefined) {
      report.at(node, 'A scalar field cannot have links.', 'Put @link on an object field, or on a fragment on an object type.');
      return undefined;
    }
    const hidden = new Map<string, FieldNode>();
    for (const use of uses) {
      for (const name of neededFields(use, report)) {
        const field = findField(name, node.selectionSet, type);
        const [first = ''] = name.split('.');
        if (field !== undefined) hidden.set(name, { ...field, alias: { kind: Kind.NAME, value: hiddenName(node, first) } });
        else
          report.at(
            use.node,
            `The link needs {${name}}, which is not a scalar field of ${getNamedType(type).name}.`,
            'Use a scalar field of the object.',
          );
      }
    }
    return { ...node, selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...hidden.values()] } };
  };
  return visit(operation, visitWithTypeInfo(typeInfo, { Field: { leave }, InlineFragment: { leave } }));
}

/** Returns the names of the object's fields that a link uses. */
function neededFields(
  { node, values: { rel, href, method, if: field, in: allowed, owner } }: LinkUse,
  report: ProblemReport,
): readonly string[] {
  const template = parsePathTemplate(href);
  if (typeof template === 'string') {
    report.at(
      node,
      `The link "${href}" is not a valid path: ${template}.`,
      'Use a path such as "/users/{userId}/orders", with fields of the object in braces.',
    );
    return [];
  }
  if (rel === 'self' && method !== 'GET') {
    report.at(node, 'The link "self" must use GET.', 'Remove the argument `method`.');
  }
  if (typeof field !== 'string' && Array.isArray(allowed)) {
    report.at(
      node,
      '`in` requires `if`.',
      'Write, for example, `if: "status", in: ["OPEN"]`: the link is shown while the field has one of the values.',
    );
  }
  return [...parametersOf(template), ...[field, owner].filter((name) => typeof name === 'string')];
}

/**
 * Finds the selected field with this response name, or the schema field of that name. A dotted name is resolved through object fields of
 * the schema.
 */
function findField(name: string, selectionSet: SelectionSetNode, owner: GraphQLOutputType): FieldNode | undefined {
  const [first = '', ...rest] = name.split('.');
  if (rest.length > 0) return findBehind(first, rest.join('.'), owner);
  const selected = findSelected(name, selectionSet);
  if (selected !== undefined) return selected.selectionSet === undefined ? { ...selected, directives: [] } : undefined;
  const type = getNamedType(owner);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  const isPlain = field !== undefined && isLeafType(getNullableType<GraphQLOutputType>(field.type)) && !field.args.some(isRequiredArgument);
  return isPlain ? { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } } : undefined;
}

function findBehind(name: string, rest: string, owner: GraphQLOutputType): FieldNode | undefined {
  const type = getNamedType(owner);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  if (field === undefined || isListType(getNullableType(field.type)) || field.args.some(isRequiredArgument)) return undefined;
  const inner = findField(rest, { kind: Kind.SELECTION_SET, selections: [] }, field.type);
  return (
    inner && { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name }, selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] } }
  );
}

function findSelected(name: string, { selections }: SelectionSetNode): FieldNode | undefined {
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // Fragments are already inlined.
    const found =
      selection.kind === Kind.INLINE_FRAGMENT
        ? findSelected(name, selection.selectionSet)
        : (selection.alias?.value ?? selection.name.value) === name
          ? selection
          : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
