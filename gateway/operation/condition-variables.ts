import { type DocumentNode, Kind, visit } from 'graphql';
import { argumentOf } from './argument-of.ts';

/** Names of the variables that `@skip` and `@include` depend on, in the order of the document. */
export function conditionVariablesOf(document: DocumentNode): readonly string[] {
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

/** What decides whether something under `@defer` comes later; undefined where nothing ever does. */
export function deferConditionsOf(
  document: DocumentNode,
): { readonly isAlways: boolean; readonly variables: readonly string[] } | undefined {
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
