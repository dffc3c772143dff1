import type { Random } from '../../../support/random/random.ts';

/** Names of an answer, as a tree; a name without names below it is a plain value. */
export type Names = ReadonlyMap<string, Names>;

/** What is asked for of an object: names, each whole or in parts. */
export type Wanted = ReadonlyMap<string, Wanted | 'whole'>;

/** A value of the parameter `fields`, and what it means. */
export interface RequestedFields {
  readonly text: string;
  readonly wanted: Wanted;
}

/** The names that stand in an answer, read off the answer itself. */
export function namesIn(value: unknown): Names {
  const names = new Map<string, Names>();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, part] of Object.entries(item)) names.set(name, new Map([...(names.get(name) ?? []), ...namesIn(part)]));
  }
  return names;
}

/** Some of the names, in one of the ways in which they can be written: dotted, in brackets, more than once, in any order. */
export function randomFields(names: Names, random: Random): RequestedFields {
  const wanted = choose(names, random);
  const written = write(wanted, random);
  const again = random.chance(0.2) ? [random.pick(written)] : [];
  return { text: shuffled([...written, ...again], random).join(','), wanted };
}

/** What is left of an answer where only so much is wanted: in its own order. */
export function project(value: unknown, wanted: Wanted | 'whole'): unknown {
  if (wanted === 'whole' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, wanted));
  const left = Object.entries(value).flatMap(([name, part]) => {
    const below = wanted.get(name);
    return below === undefined ? [] : [[name, project(part, below)] as const];
  });
  return Object.fromEntries(left);
}

/** Dotted names of all plain values that are wanted. */
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
