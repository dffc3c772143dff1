import { Kind, type OperationDefinitionNode, type SelectionSetNode, parse, print, visit } from 'graphql';
import { printArguments } from '../../../../gateway/planning/data-keys.ts';
import type {
  ContextArgument,
  DataKeys,
  EntityLookup,
  OperationPlan,
  PlanPathStep,
  PlanSelection,
  PlannedFetch,
  RepresentationField,
  RepresentationPlan,
} from '../../../../gateway/planning/operation-plan.ts';

/** A lookup in short notation: paths as `a.b|Type.c`, representations as `Type { key }`, selections as GraphQL text. */
export interface LookupText {
  readonly at: readonly string[];
  /** Representations. A leading `*` ignores the type of the object. `T as S { … }` sends objects of type T as type S. */
  readonly by: readonly string[];
  readonly request: string;
  readonly context?: readonly ContextArgument[];
}

/** Types of the client variables that the requests of a plan declare. */
export type VariableTypes = Readonly<Record<string, string>>;

/** Creates a fetch of the root type. */
export function root(subgraph: string, request: string, variables: VariableTypes = {}, dependsOn: readonly number[] = []): PlannedFetch {
  const operation = parse(request).definitions[0] as OperationDefinitionNode;
  const kind = operation.operation;
  return { subgraph, kind, dependsOn, selections: toSelections(operation.selectionSet, variables) };
}

/** Creates a fetch of entities. */
export function lookups(
  subgraph: string,
  dependsOn: readonly number[],
  texts: readonly LookupText[],
  variables: VariableTypes = {},
): PlannedFetch {
  return {
    subgraph,
    kind: 'query',
    dependsOn,
    lookups: texts.map(
      ({ at, by, request, context }): EntityLookup => ({
        paths: at.map(toPath),
        representations: by.map(toRepresentation),
        selections: toSelections((parse(request).definitions[0] as OperationDefinitionNode).selectionSet, variables),
        ...(context && { contextArguments: context }),
      }),
    ),
  };
}

/** Creates a plan of fetches. */
export function planOf(fetches: readonly PlannedFetch[], keys: Partial<DataKeys> = {}): OperationPlan {
  return { kind: fetches[0]?.kind ?? 'query', fetches, keys: { withArguments: {}, beneathAbstract: {}, ...keys } };
}

function toPath(text: string): readonly PlanPathStep[] {
  return text.split('.').map((step) => {
    const [key = '', ...types] = step.split('|');
    return types.length > 0 ? { key, types } : { key };
  });
}

function toRepresentation(text: string): RepresentationPlan {
  const [, star, type = '', reported = type, fields = '{ id }'] = /^(\*?)(\w+)(?: as (\w+))? ?(\{.*\})?$/.exec(text) ?? [];
  const { selectionSet } = parse(fields).definitions[0] as OperationDefinitionNode;
  return { ...(star === '' && { types: [type] }), typename: reported, fields: toFields(selectionSet) };
}

function toFields({ selections }: SelectionSetNode, types?: readonly string[]): readonly RepresentationField[] {
  return selections.flatMap((selection): readonly RepresentationField[] => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return toFields(selection.selectionSet, [selection.typeCondition?.name.value ?? '']);
    if (selection.kind !== Kind.FIELD) return [];
    const { name, alias, selectionSet } = selection;
    return [
      {
        name: alias?.value ?? name.value,
        key: name.value,
        ...(types && { types }),
        ...(selectionSet && { fields: toFields(selectionSet) }),
      },
    ];
  });
}

function toSelections({ selections }: SelectionSetNode, variables: VariableTypes): readonly PlanSelection[] {
  return selections.map((selection): PlanSelection => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) throw new Error(`Plans do not support fragment spreads: ${print(selection)}`);
    const inside = selection.selectionSet && { selections: toSelections(selection.selectionSet, variables) };
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return { kind: 'fragment', type: selection.typeCondition?.name.value ?? '', selections: inside?.selections ?? [] };
    }
    const { name, alias } = selection;
    const given = printArguments(selection.arguments);
    const used: string[] = [];
    for (const argument of selection.arguments ?? []) {
      visit(argument, {
        Variable(variable) {
          if (variable.name.value in variables) used.push(variable.name.value);
        },
      });
    }
    return {
      kind: 'field',
      name: name.value,
      key: alias?.value ?? name.value,
      ...(given && { arguments: given }),
      ...(used.length > 0 && { variables: used.map((each) => ({ name: each, type: variables[each] ?? '' })) }),
      ...inside,
    };
  });
}
