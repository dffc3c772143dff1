/** How much a set of selections asks for, with all fragments expanded. Saturated numbers stand for "at least so many". */
export interface SelectionCounts {
  /** Fields on the longest way down. */
  readonly depth: number;
  /** Fields under another name than their own. */
  readonly aliases: number;
  /** Fields, fragment spreads and inline fragments: each is a step for whatever expands the operation. */
  readonly selections: number;
}

/** The same for what is asked of the data, and for what is asked of the schema by `__schema` and `__type`. */
export interface SelectionWeight {
  readonly data: SelectionCounts;
  readonly introspection: SelectionCounts;
  /** Fields of the data that the set selects itself, not below other fields. */
  readonly rootFields: number;
}

export const WEIGHTLESS: SelectionWeight = {
  data: { depth: 0, aliases: 0, selections: 0 },
  introspection: { depth: 0, aliases: 0, selections: 0 },
  rootFields: 0,
};

/** What two selections of one set weigh together. Sums stop at the ceilings: doubled fragments would overflow any number. */
export function addWeights(a: SelectionWeight, b: SelectionWeight, ceilings: SelectionWeight): SelectionWeight {
  return {
    data: addCounts(a.data, b.data, ceilings.data),
    introspection: addCounts(a.introspection, b.introspection, ceilings.introspection),
    rootFields: Math.min(a.rootFields + b.rootFields, ceilings.rootFields),
  };
}

function addCounts(a: SelectionCounts, b: SelectionCounts, ceilings: SelectionCounts): SelectionCounts {
  if (b.selections === 0) return a; // as introspection is nearly always
  return {
    depth: Math.min(Math.max(a.depth, b.depth), ceilings.depth),
    aliases: Math.min(a.aliases + b.aliases, ceilings.aliases),
    selections: Math.min(a.selections + b.selections, ceilings.selections),
  };
}

/** What a field weighs with the selections below it. */
export function weighField(isIntrospection: boolean, isAliased: boolean, below: SelectionWeight): SelectionWeight {
  const { data, introspection } = below;
  return isIntrospection
    ? { data, introspection: onTopOf(introspection, isAliased), rootFields: 0 }
    : { data: onTopOf(data, isAliased), introspection, rootFields: 1 };
}

function onTopOf({ depth, aliases, selections }: SelectionCounts, isAliased: boolean): SelectionCounts {
  return { depth: depth + 1, aliases: aliases + (isAliased ? 1 : 0), selections: selections + 1 };
}

/** What a spread or an inline fragment weighs with the selections in it. */
export function weighFragment(isIntrospection: boolean, inside: SelectionWeight): SelectionWeight {
  const { data, introspection, rootFields } = inside;
  return isIntrospection
    ? { data, introspection: oneSelectionMore(introspection), rootFields }
    : { data: oneSelectionMore(data), introspection, rootFields };
}

function oneSelectionMore(counts: SelectionCounts): SelectionCounts {
  return { ...counts, selections: counts.selections + 1 };
}
