import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { argumentOf } from '../executable-directives.ts';
import type { CanonicalOperation } from './canonical-operation.ts';

/** One operation of a document, with the properties that do not depend on a schema. */
interface IsolatedOperation {
  readonly operation: OperationDefinitionNode;
  /** Document with the operation and the fragments that it reaches. */
  readonly document: DocumentNode;
  /** Whether it selects `__schema` or `__type` anywhere. `__typename` is not introspection. */
  readonly isIntrospecting: boolean;
}

/** Extracts an operation from its document, because fragments of other operations may use variables that this operation does not define. */
export function isolateOperation(document: DocumentNode, operation: OperationDefinitionNode): IsolatedOperation {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  const reached = new Set<FragmentDefinitionNode>();
  const pending: SelectionSetNode[] = [operation.selectionSet];
  let isIntrospecting = false;
  for (let selectionSet = pending.pop(); selectionSet !== undefined; selectionSet = pending.pop()) {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || reached.has(fragment)) continue;
        reached.add(fragment);
        pending.push(fragment.selectionSet);
        continue;
      }
      if (selection.kind === Kind.FIELD) isIntrospecting ||= isIntrospectionField(selection.name.value);
      if (selection.selectionSet !== undefined) pending.push(selection.selectionSet);
    }
  }
  return { operation, document: { kind: Kind.DOCUMENT, definitions: [operation, ...reached] }, isIntrospecting };
}

function isIntrospectionField(name: string): boolean {
  return name === '__schema' || name === '__type';
}

/** Returns the names of the variables that `@skip` and `@include` depend on, in the order of the document. */
function conditionVariablesOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      if (directive.name.value !== 'skip' && directive.name.value !== 'include') return;
      for (const { value } of directive.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}

/** Returns the conditions under which a `@defer` is active, or undefined when none can ever be active. */
function deferConditionsOf(document: DocumentNode): { readonly isAlways: boolean; readonly variables: readonly string[] } | undefined {
  const variables = new Set<string>();
  let isAlways = false;
  visit(document, {
    Directive(directive) {
      if (directive.name.value !== 'defer') return;
      const condition = argumentOf(directive, 'if');
      if (condition?.kind === Kind.VARIABLE) variables.add(condition.name.value);
      else isAlways ||= condition?.kind !== Kind.BOOLEAN || condition.value;
    },
  });
  return isAlways || variables.size > 0 ? { isAlways, variables: [...variables] } : undefined;
}

/**
 * Creates a substitute for the canonical form of a valid operation that cannot be normalized: the operation without its name, otherwise
 * unchanged.
 */
export function verbatimOperation({ document, operation }: IsolatedOperation): CanonicalOperation {
  const defer = deferConditionsOf(document);
  const definitions = document.definitions.map((definition) => (definition === operation ? withoutName(operation) : definition));
  return {
    text: print({ ...document, definitions }),
    aliases: new Map(),
    literals: {},
    variables: (operation.variableDefinitions ?? []).map(({ variable }) => sameName(variable.name.value)),
    conditions: conditionVariablesOf(document).map(sameName),
    ...(defer === undefined ? {} : { defer: { isAlways: defer.isAlways, variables: defer.variables.map(sameName) } }),
  };
}

function withoutName({ name: _name, ...operation }: OperationDefinitionNode): OperationDefinitionNode {
  return operation;
}

function sameName(name: string): { readonly name: string; readonly canonicalName: string } {
  return { name, canonicalName: name };
}
