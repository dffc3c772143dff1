import type { OperationPlan, PlanPathStep, PlanSelection, PlannedFetch, RepresentationPlan } from '../operation-plan.ts';

/** A selection set that a fetch adds at a position of the data tree. */
export interface FetchEntry {
  /** Index of the fetch in the plan. */
  readonly fetch: number;
  /** Representations, one for each kind of object that is sent. At a root type, a single one without fields. */
  readonly representations: readonly RepresentationPlan[];
  readonly selections: readonly PlanSelection[];
  /** Returns the index of the representation for objects of a type: the first that matches. */
  readonly indexFor: (type: string) => number | undefined;
}

/** A value that a fetch passes as an argument (`@fromContext`), by data keys from the object of the node. */
export interface ContextValue {
  readonly fetch: number;
  readonly path: readonly string[];
}

/** A position at which fetches add selections, or that is on a path to such a position. */
export interface TrieNode {
  readonly id: number;
  /** Types of the values that the node applies to; absent if it applies to all values. */
  readonly types: ReadonlySet<string> | undefined;
  /** Child nodes by data key. Several nodes have one key if their types differ. */
  readonly children: Map<string, TrieNode[]>;
  readonly entries: FetchEntry[];
  readonly contextValues: ContextValue[];
  /** Fetches with an entry at or beneath the node. */
  readonly fetches: Set<number>;
}

/**
 * Builds a trie of the paths at which the fetches of a plan add selections. Its root is the root of the data tree.
 *
 * @param rootTypeOf returns the name of the root type of a kind of operation
 */
export function createFetchTrie({ fetches }: OperationPlan, rootTypeOf: (kind: PlannedFetch['kind']) => string): TrieNode {
  let count = 0;
  const createNode = (types?: ReadonlySet<string>): TrieNode => {
    count += 1;
    return { id: count, types, children: new Map(), entries: [], contextValues: [], fetches: new Set() };
  };
  const setOf = createTypeSets();
  const childOf = (parent: TrieNode, { key, types: list }: PlanPathStep): TrieNode => {
    const types = list && setOf(list);
    const children = parent.children.get(key) ?? [];
    parent.children.set(key, children);
    let child = children.find((other) => other.types === types);
    if (child === undefined) children.push((child = createNode(types)));
    return child;
  };
  const root = createNode();
  const follow = (path: readonly PlanPathStep[], fetch: number): readonly TrieNode[] => {
    const nodes = [root];
    for (const step of path) nodes.push(childOf(nodes.at(-1) ?? root, step));
    for (const node of nodes) node.fetches.add(fetch);
    return nodes;
  };
  for (const [fetch, { kind, selections, path = [], lookups = [] }] of fetches.entries()) {
    if (selections !== undefined) {
      const representations = [{ typename: rootTypeOf(kind), fields: [] }];
      follow(path, fetch)
        .at(-1)
        ?.entries.push({ fetch, representations, selections, indexFor: () => 0 });
    }
    for (const lookup of lookups) {
      const { representations } = lookup;
      const indexFor = indexByType(representations);
      for (const lookupPath of lookup.paths) {
        const nodes = follow(lookupPath, fetch);
        nodes.at(-1)?.entries.push({ fetch, representations, selections: lookup.selections, indexFor });
        for (const { depth, sources } of lookup.contextArguments ?? []) {
          for (const source of sources) if (source.types === undefined) nodes[depth]?.contextValues.push({ fetch, path: source.path });
        }
      }
    }
  }
  return root;
}

function indexByType(representations: readonly RepresentationPlan[]): FetchEntry['indexFor'] {
  const untyped = representations.findIndex(({ types }) => types === undefined);
  const indices = new Map<string, number>();
  for (const [index, { types }] of representations.entries()) {
    if (index === untyped) break;
    for (const type of types ?? []) if (!indices.has(type)) indices.set(type, index);
  }
  return (type) => indices.get(type) ?? (untyped === -1 ? undefined : untyped);
}

/** Returns one set for equal lists of types. */
function createTypeSets(): (types: readonly string[]) => ReadonlySet<string> {
  const byList = new Map<readonly string[], ReadonlySet<string>>();
  const byText = new Map<string, ReadonlySet<string>>();
  return (types) => {
    let set = byList.get(types);
    if (set === undefined) {
      const text = [...types].sort().join(' ');
      set = byText.get(text) ?? new Set(types);
      byText.set(text, set);
      byList.set(types, set);
    }
    return set;
  };
}
