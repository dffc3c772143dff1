import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionNode as FieldOrFragment } from 'graphql';
import type { SelectionNode } from '../connectors/selection/selection-node.ts';
import type { ValueTypes } from './value-types.ts';

/** Context of an operation that is compiled. */
export interface OutputContext {
  readonly types: ValueTypes;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether `@skip` and `@include` let a selection apply. */
  readonly applies: (selection: FieldOrFragment) => boolean;
}

/** Fields of one object type by response key. Several nodes with one key have one name and are merged. */
export type OutputFields = ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]>;

/** Collects the fields that apply to an object type (GraphQL specification, section 6.3.2). */
export function collectOutputFields(selections: readonly FieldOrFragment[], type: string, context: OutputContext): OutputFields {
  const collected = new Map<string, [FieldNode, ...FieldNode[]]>();
  function collect(nodes: readonly FieldOrFragment[]): void {
    for (const node of nodes) {
      if (!context.applies(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = collected.get(key);
        if (known === undefined) collected.set(key, [node]);
        else known.push(node);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : context.fragments.get(node.name.value);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment !== undefined && (condition === undefined || context.types.satisfies(type, condition))) {
        collect(fragment.selectionSet.selections);
      }
    }
  }
  collect(selections);
  return collected;
}

/** Returns the selections of a field that was collected from several nodes. */
export function selectionsOf(nodes: readonly FieldNode[]): readonly FieldOrFragment[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
}

/** Position in the output of a connector. */
export interface OutputPosition {
  /** Selections of the field; empty for a leaf. */
  readonly selections: readonly FieldOrFragment[];
  /** Named type. */
  readonly type: string | undefined;
  /** Mapping of the position, whose objects can be used as they are. @defaultValue all objects are copied */
  readonly mapping?: SelectionNode | undefined;
}
