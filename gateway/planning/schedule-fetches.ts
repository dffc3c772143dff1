import type { FetchBuilder } from './positions.ts';

/** Fetches that are sent as one request. */
export interface FetchGroup {
  readonly subgraph: string;
  readonly kind: FetchBuilder['kind'];
  readonly deferral: number;
  readonly members: FetchBuilder[];
  readonly dependsOn: ReadonlySet<FetchGroup>;
}

/**
 * Groups fetches into requests, each after its dependencies. Fetches to one subgraph at the same time are sent together. A fetch without
 * dependents moves to a later time at which its subgraph is queried anyway. The last request is never delayed by this.
 *
 * @param isAlone whether each fetch from a subgraph is a separate request
 */
export function scheduleFetches(fetches: readonly FetchBuilder[], isAlone: (subgraph: string) => boolean): readonly FetchGroup[] {
  const times = timesOf(fetches, isAlone);
  const groups = new Map<string, Omit<FetchGroup, 'dependsOn'> & { time: number }>();
  for (const fetch of fetches) {
    const { subgraph, kind, deferral } = fetch;
    const time = times.get(fetch) ?? 0;
    // Requests at the root differ from requests for entities, and the root fields of a mutation are executed in order.
    const isOwn = isAlone(subgraph) || fetch.representation === undefined;
    const id = isOwn ? `alone ${groups.size}` : `${time} ${deferral} ${subgraph}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { subgraph, kind, deferral, members: [fetch], time });
    else group.members.push(fetch);
  }
  const ordered = [...groups.values()].sort((one, other) => one.time - other.time);
  const scheduled = new Map<FetchBuilder, FetchGroup>();
  const ofJoint = new Map<FetchBuilder, ReadonlySet<FetchGroup>>();
  const groupsOfAll = (all: Iterable<FetchBuilder>): ReadonlySet<FetchGroup> => {
    const groups = new Set<FetchGroup>();
    for (const fetch of all) for (const group of groupsOf(fetch)) groups.add(group);
    return groups;
  };
  /** Returns the requests of a fetch: one, or those of all fetches that a joint fetch represents. */
  const groupsOf = (fetch: FetchBuilder): ReadonlySet<FetchGroup> => {
    const own = scheduled.get(fetch);
    if (own !== undefined) return new Set([own]);
    let groups = ofJoint.get(fetch);
    if (groups === undefined) ofJoint.set(fetch, (groups = groupsOfAll(fetch.members ?? [])));
    return groups;
  };
  return ordered.map(({ subgraph, kind, deferral, members }) => {
    const fetches = new Set(members.flatMap(({ dependsOn }) => [...dependsOn]));
    const [only, ...others] = fetches;
    const needed = only !== undefined && others.length === 0 ? groupsOf(only) : groupsOfAll(fetches);
    const group = { subgraph, kind, deferral, members, dependsOn: needed };
    for (const member of members) scheduled.set(member, group);
    return group;
  });
}

/** Returns the time of each fetch: the number of sequential requests that finish before it. */
function timesOf(fetches: readonly FetchBuilder[], isAlone: (subgraph: string) => boolean): ReadonlyMap<FetchBuilder, number> {
  const times = new Map<FetchBuilder, number>();
  const timeOf = (fetch: FetchBuilder): number => {
    let time = times.get(fetch);
    if (time === undefined) {
      time = 0;
      // A joint fetch finishes with the last fetch that it represents.
      const step = fetch.members === undefined ? 1 : 0;
      for (const needed of fetch.dependsOn) time = Math.max(time, timeOf(needed) + step);
      times.set(fetch, time);
    }
    return time;
  };
  for (const fetch of fetches) timeOf(fetch);
  const waitedFor = new Set<FetchBuilder>();
  const wait = ({ dependsOn }: FetchBuilder): void => {
    for (const needed of dependsOn) {
      if (waitedFor.has(needed)) continue;
      waitedFor.add(needed);
      if (needed.members !== undefined) wait(needed);
    }
  };
  for (const fetch of fetches) wait(fetch);
  const isLeaf = (fetch: FetchBuilder): boolean => !waitedFor.has(fetch);
  const entering = fetches.filter(({ representation, subgraph }) => representation !== undefined && !isAlone(subgraph));
  const companies = new Map<string, FetchBuilder[]>();
  for (const fetch of entering) {
    const id = `${fetch.deferral} ${fetch.subgraph}`;
    companies.set(id, [...(companies.get(id) ?? []), fetch]);
  }
  // The order is from the latest to the earliest time, so that a moved fetch can join fetches that were moved before.
  for (const time of [...new Set(entering.map(timeOf))].sort((one, other) => other - one)) {
    for (const company of companies.values()) {
      const now = company.filter((fetch) => timeOf(fetch) === time);
      const later = company.map(timeOf).filter((other) => other > time);
      if (later.length === 0 || !now.every(isLeaf)) continue;
      for (const leaf of now) times.set(leaf, Math.min(...later));
    }
  }
  return times;
}
