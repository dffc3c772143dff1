import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { addWeights, type SelectionWeight, WEIGHTLESS, weighField, weighFragment } from './selection-weight.ts';

/** What each operation of a document weighs, and what it took to tell. */
export interface OperationWeights {
  readonly weights: ReadonlyMap<OperationDefinitionNode, SelectionWeight>;
  /** Selections that were looked at: at most two for each in the document. */
  readonly steps: number;
}

/** A set of selections that is being weighed. */
interface Frame {
  readonly selections: readonly SelectionNode[];
  /** The selection whose content is being weighed, or that comes next. */
  index: number;
  weight: SelectionWeight;
  /** Whether the set belongs to an introspection field. */
  readonly isIntrospection: boolean;
  /** Where the weight is kept when the set is a fragment's. */
  readonly fragment?: FragmentDefinitionNode;
}

/** Weights of fragments: one outside and one inside introspection, where the same selections count otherwise. */
interface FragmentWeights {
  readonly data: Map<FragmentDefinitionNode, SelectionWeight>;
  readonly introspection: Map<FragmentDefinitionNode, SelectionWeight>;
}

/**
 * Weighs the operations of a document that may not be valid, in time linear in the document: each fragment is weighed once,
 * however often it is spread. No recursion, since documents nest deeper than stacks. A spread of an unknown fragment, or of
 * one that it stands in itself, weighs nothing but the spread; validation refuses both.
 */
export function weighOperations({ definitions }: DocumentNode, ceilings: SelectionWeight): OperationWeights {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known: FragmentWeights = { data: new Map(), introspection: new Map() };
  const weights = new Map<OperationDefinitionNode, SelectionWeight>();
  let steps = 0;

  function weigh(root: SelectionSetNode): SelectionWeight {
    const frames: Frame[] = [frameOf(root, false)];
    let finished: SelectionWeight | undefined; // of the content of the selection at the index of the top frame
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const selection = frame.selections[frame.index];
      if (selection === undefined) {
        frames.pop();
        finished = frame.weight;
        if (frame.fragment !== undefined) mapFor(known, frame.isIntrospection).set(frame.fragment, finished);
        continue;
      }
      if (finished === undefined) {
        steps += 1;
        const content = contentOf(selection, frame.isIntrospection);
        if ('selections' in content) {
          frames.push(content);
          continue;
        }
        finished = content;
      }
      frame.weight = addWeights(frame.weight, weighSelection(selection, frame.isIntrospection, finished), ceilings);
      frame.index += 1;
      finished = undefined;
    }
    return finished ?? WEIGHTLESS;
  }

  /** The weight of what a selection contains, or the frame to find it out in. */
  function contentOf(selection: SelectionNode, isInIntrospection: boolean): SelectionWeight | Frame {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) {
      if (selection.selectionSet === undefined) return WEIGHTLESS;
      return frameOf(selection.selectionSet, isInIntrospection || isIntrospectionField(selection));
    }
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined) return WEIGHTLESS;
    const weighed = mapFor(known, isInIntrospection);
    const weight = weighed.get(fragment);
    if (weight !== undefined) return weight;
    weighed.set(fragment, WEIGHTLESS); // holds while it is being weighed: a spread of itself ends there
    return frameOf(fragment.selectionSet, isInIntrospection, fragment);
  }

  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) weights.set(definition, weigh(definition.selectionSet));
  }
  return { weights, steps };
}

function frameOf({ selections }: SelectionSetNode, isIntrospection: boolean, fragment?: FragmentDefinitionNode): Frame {
  const frame = { selections, index: 0, weight: WEIGHTLESS, isIntrospection };
  return fragment === undefined ? frame : { ...frame, fragment };
}

function mapFor({ data, introspection }: FragmentWeights, isIntrospection: boolean): Map<FragmentDefinitionNode, SelectionWeight> {
  return isIntrospection ? introspection : data;
}

function weighSelection(selection: SelectionNode, isInIntrospection: boolean, content: SelectionWeight): SelectionWeight {
  if (selection.kind !== Kind.FIELD) return weighFragment(isInIntrospection, content);
  return weighField(isInIntrospection || isIntrospectionField(selection), selection.alias !== undefined, content);
}

/** `__typename` is none: it is asked of the data. */
function isIntrospectionField(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type');
}
