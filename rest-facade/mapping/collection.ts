/** Parameter by which clients say that they need no total. */
export const COUNT_PARAMETER = 'count';

/** How the items of an answer stand at its result. */
export interface CollectionMapping {
  /** Where the list stands: in `nodes`, in `edges` of which each has a `node`, or it is the result itself. */
  readonly list: 'nodes' | 'edges' | 'itself';
  /** The items alone are the body: what is told of them stands in headers. */
  readonly isBare: boolean;
  /** Whether it tells how many items there are. */
  readonly hasTotal: boolean;
  /** Whether it tells what comes next: `pageInfo`. */
  readonly hasPageInfo: boolean;
}

const WAYS = { nodes: ['nodes'], edges: ['edges', 'node'], itself: [] } as const;

/** Response names from the result to an item; the first of them has the list. */
export function wayToItems({ list }: Pick<CollectionMapping, 'list'>): readonly string[] {
  return WAYS[list];
}

/** So many steps of an error's path lead from the result to an item: names, and its place in the list. */
export function stepsToItems(collection: CollectionMapping | undefined): number {
  return collection === undefined ? 0 : wayToItems(collection).length + 1;
}
