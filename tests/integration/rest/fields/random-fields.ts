import type { Random } from '../../../support/random/random.ts';

/** Field names of a response as a tree. A name without children is a plain value. */
export type Names = ReadonlyMap<string, Names>;

/** Requested fields of an object, each either whole or with selected children. */
export type Wanted = ReadonlyMap<string, Wanted | 'whole'>;

/** A value of the `fields` parameter and its meaning. */
export interface RequestedFields {
  readonly text: string;
  readonly wanted: Wanted;
}

/** Returns the field names that a response contains. */
export function namesIn(value: unknown): Names {
  const names = new Map<string, Names>();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, part] of Object.entries(item)) names.set(name, new Map([...(names.get(name) ?? []), ...namesIn(part)]));
  }
  return names;
}

/** Selects random names and writes them in any of the supported notations: dotted, in brackets, repeated, in any order. */
export function randomFields(names: Names, random: Random): RequestedFields {
  const wanted = choose(names, random);
  const written = write(wanted, random);
  const again = random.chance(0.2) ? [random.pick(written)] : [];
  return { text: shuffled([...written, ...again], random).join(','), wanted };
}

/** Returns only the wanted fields of a response, in the order of the response. */
export function project(value: unknown, wanted: Wanted | 'whole'): unknown {
  if (wanted === 'whole' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, wanted));
  const left = Object.entries(value).flatMap(([name, part]) => {
    const below = wanted.get(name);
    return below === undefined ? [] : [[name, project(part, below)] as const];
  });
  return Object.fromEntries(left);
}

/** Returns the dotted names of all wanted plain values. */
export function leavesOf(wanted: Wanted | 'whole', names: Names, prefix = ''): readonly string[] {
  return [...names].flatMap(([name, below]): readonly string[] => {
    const part = wanted === 'whole' ? 'whole' : wanted.get(name);
    if (part === undefined) return [];
    return below.size === 0 ? [prefix + name] : leavesOf(part, below, `${prefix}${name}.`);
  });
}

function choose(names: Names, random: Random): Wanted {
  const chosen = [...names].filter(() => random.chance(0.4));
  const some = chosen.length === 0 ? [random.pick([...names])] : chosen;
  return new Map(
    some.map(([name, below]): [string, Wanted | 'whole'] => [
      name,
      below.size === 0 || random.chance(0.3) ? 'whole' : choose(below, random),
    ]),
  );
}

function write(wanted: Wanted, random: Random): readonly string[] {
  const terms = [...wanted].flatMap(([name, below]): readonly string[] => {
    if (below === 'whole') return [name];
    const inside = write(below, random);
    return random.chance(0.5) ? [`${name}(${inside.join(',')})`] : inside.map((term) => `${name}.${term}`);
  });
  return shuffled(terms, random);
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
