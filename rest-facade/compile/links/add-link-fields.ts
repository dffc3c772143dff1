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
 * The operation with what its links need selected beside what it shows, under names of its own: `fields` narrows the one and
 * leaves the other. What a link asks for in vain is reported.
 */
export function addLinkFields(schema: GraphQLSchema, operation: OperationDefinitionNode, report: ProblemReport): OperationDefinitionNode {
  const typeInfo = new TypeInfo(schema);
  const leave = (node: FieldNode | InlineFragmentNode): FieldNode | InlineFragmentNode | undefined => {
    const uses = usesOf(node, 'link');
    const type = typeInfo.getType();
    if (uses.length === 0) return undefined;
    if (node.selectionSet === undefined || type === null || type === undefined) {
      report.at(node, 'A plain value leads nowhere.', 'Put @link on an object, or on a fragment for one.');
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
            `The link needs {${name}}, which is no plain value of ${getNamedType(type).name}.`,
            'Name a field of the object.',
          );
      }
    }
    return { ...node, selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...hidden.values()] } };
  };
  return visit(operation, visitWithTypeInfo(typeInfo, { Field: { leave }, InlineFragment: { leave } }));
}

/** The fields of the object that a link is made of. */
function neededFields(
  { node, values: { rel, href, method, if: field, in: allowed, owner } }: LinkUse,
  report: ProblemReport,
): readonly string[] {
  const template = parsePathTemplate(href);
  if (typeof template === 'string') {
    report.at(
      node,
      `The link "${href}" is no path: ${template}.`,
      'Write it like "/users/{userId}/orders", with fields of the object in braces.',
    );
    return [];
  }
  if (rel === 'self' && method !== 'GET') {
    report.at(node, 'The link "self" of an object is no GET.', 'Leave out its method.');
  }
  if (typeof field !== 'string' && Array.isArray(allowed)) {
    report.at(
      node,
      '`in` has values of no field.',
      'Write `if: "status", in: ["OPEN"]`: the link is shown while the field has one of the values.',
    );
  }
  return [...parametersOf(template), ...[field, owner].filter((name) => typeof name === 'string')];
}

/** What the selection calls so, else the field of that name; of a dotted name, the fields that the objects of the schema call so. */
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
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // inlined before
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
