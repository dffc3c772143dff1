import { type Draft, type DraftField, type DraftSubgraph, type DraftType, LEAVES, baseOf, definersOf, direct, field } from './draft.ts';
import { VOLATILE } from './world.ts';
import { canHave, drawArguments, drawType, ensureType, placeField } from './assign-types.ts';

/** Literals of arguments in a selection, by the declaration of the field's arguments. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  '': [''],
  '(a: Int)': ['', '(a: 5)', '(a: null)'],
  '(a: Int = 3)': ['', '(a: 3)', '(a: 4)'],
  '(s: String! = "x", e: Color)': ['', '(e: RED)'],
  '(filter: Filter)': ['', '(filter: {a: 2, color: BLUE})', '(filter: {size: M, not: {a: 3}})'],
  '(ids: [ID!], deep: [[Int]])': ['', '(ids: [1, 2])', '(deep: [[1], null])'],
  '(n: Int!)': ['(n: 4)'],
  '(e: Color = GREEN, b: Boolean)': ['', '(e: BLUE, b: true)'],
  '(size: Size = S)': ['', '(size: M)'],
  '(json: JSON, number: Float)': ['', '(json: {a: [1, null], b: {c: RED}}, number: 2)'],
};

/** Adds a field that is computed from fields of other subgraphs. */
export function addRequires(draft: Draft, name: string): void {
  const { random, subgraphs } = draft;
  const positions = subgraphs.flatMap((subgraph) => {
    return [...subgraph.types.values()]
      .filter((type) => type.kind === 'type' && type.keys.length > 0 && foreignFields(draft, subgraph, type).length > 0)
      .map((type) => ({ subgraph, type }));
  });
  if (positions.length === 0) return;
  const { subgraph, type } = random.pick(positions);
  // Selections by field name: a representation can hold only one value of a field.
  const selections = new Map<string, string>();
  const count = 1 + random.below(2);
  for (let index = 0; index < count; index += 1) {
    const foreign = foreignFields(draft, subgraph, type).filter((candidate) => !selections.has(candidate.name));
    if (foreign.length === 0) break;
    const found = random.pick(foreign);
    const selection = selectForeign(draft, { subgraph, type }, found, 0);
    if (selection !== undefined) selections.set(found.name, selection);
  }
  if (selections.size === 0) return;
  const result = random.chance(0.75) ? random.pick(['String', 'Int', 'String!', '[Int]', 'JSON']) : drawType(draft, subgraph);
  placeField(
    draft,
    subgraph,
    type,
    field(name, result, drawArguments(draft), [`@requires(fields: "${[...selections.values()].join(' ')}")`]),
  );
}

function isLeaf(base: string): boolean {
  return (LEAVES as readonly string[]).includes(base);
}

interface WorldPosition {
  readonly subgraph: DraftSubgraph;
  readonly type: DraftType;
}

/** Lists fields of a type that other subgraphs resolve and this subgraph does not. */
function foreignFields(draft: Draft, subgraph: DraftSubgraph, { name, fields }: DraftType): readonly DraftField[] {
  const found = new Map<string, DraftField>();
  for (const other of draft.subgraphs) {
    if (other === subgraph) continue;
    for (const candidate of other.types.get(name)?.fields.values() ?? []) {
      const own = fields.get(candidate.name);
      const isOwn = own !== undefined && !own.directives.includes('@external');
      const isContextual = candidate.args.includes('@') || candidate.name === VOLATILE;
      if (!isOwn && !isContextual && !candidate.directives.includes('@external') && canHave(draft, subgraph, baseOf(candidate.type))) {
        found.set(candidate.name, candidate);
      }
    }
  }
  return [...found.values()];
}

/** Declares a foreign field in a subgraph and returns the selection that is required of it. */
function selectForeign(draft: Draft, { subgraph, type }: WorldPosition, found: DraftField, depth: number): string | undefined {
  const { random } = draft;
  const literal = LITERALS[found.args];
  if (literal === undefined) return undefined;
  const inner = selectInside(draft, subgraph, baseOf(found.type), depth);
  if (inner === undefined) return undefined;
  placeField(draft, subgraph, type, { ...found, directives: ['@external'] });
  return `${found.name}${random.pick(literal)}${inner}`;
}

/** Writes the selection of a required object: empty for leaves, undefined if nothing can be required. */
function selectInside(draft: Draft, subgraph: DraftSubgraph, base: string, depth: number): string | undefined {
  const { random, blueprints } = draft;
  const known = blueprints.get(base);
  if (known === undefined) return isLeaf(base) ? '' : undefined;
  if (depth > 2) return undefined;
  const type = ensureType(draft, subgraph, base);
  if (known.kind === 'union' || (known.kind === 'interface' && type?.kind === 'interface')) {
    const members =
      known.kind === 'union'
        ? [...(subgraph.unions.get(base) ?? [])]
        : [...subgraph.types.values()].filter(({ interfaces }) => interfaces.has(base)).map(({ name }) => name);
    const fragments = members.flatMap((member) => {
      const inner = selectInside(draft, subgraph, member, depth + 1);
      return inner === undefined || !random.chance(0.8) ? [] : [`... on ${member}${inner}`];
    });
    const selections = [...selectCommon(draft, type), ...fragments];
    return selections.length === 0 ? undefined : ` { ${selections.join(' ')} }`;
  }
  return type && selectObject(draft, { subgraph, type }, depth);
}

/** Sometimes selects a field of the interface itself. */
function selectCommon({ random }: Draft, type: DraftType | undefined): readonly string[] {
  const leaves = [...(type?.fields.values() ?? [])].filter((found) => found.args === '' && isLeaf(baseOf(found.type)));
  return leaves.length === 0 || !random.chance(0.4) ? [] : [random.pick(leaves).name];
}

function selectObject(draft: Draft, { subgraph, type }: WorldPosition, depth: number): string | undefined {
  const { random } = draft;
  const own = [...type.fields.values()].filter(({ name, args, directives }) => {
    return name !== VOLATILE && LITERALS[args] !== undefined && !directives.some((directive) => directive.startsWith('@requires'));
  });
  const foreign = type.keys.length > 0 ? foreignFields(draft, subgraph, type) : [];
  const chosen = new Map<string, string>();
  const count = 1 + random.below(2);
  for (let index = 0; index < count * 2 && chosen.size < count; index += 1) {
    const isForeign = foreign.length > 0 && random.chance(0.6);
    const pool = isForeign ? foreign : own;
    if (pool.length === 0) continue;
    const found = random.pick(pool);
    if (chosen.has(found.name) || (!isLeaf(baseOf(found.type)) && random.chance(0.6))) continue;
    if (isForeign) {
      const selection = selectForeign(draft, { subgraph, type }, found, depth + 1);
      if (selection !== undefined) chosen.set(found.name, selection);
    } else {
      const inner = selectInside(draft, subgraph, baseOf(found.type), depth + 1);
      if (inner !== undefined) chosen.set(found.name, `${found.name}${random.pick(LITERALS[found.args] ?? [''])}${inner}`);
    }
  }
  return chosen.size === 0 ? undefined : ` { ${[...chosen.values()].join(' ')} }`;
}

/** Lets a field provide fields of other subgraphs. */
export function addProvides(draft: Draft): void {
  const { random, subgraphs, blueprints } = draft;
  const positions = subgraphs.flatMap((subgraph) => {
    return [...subgraph.types.values()].flatMap((type) => {
      const fields = [...type.fields.values()].filter(({ type: result, directives }) => {
        return blueprints.has(baseOf(result)) && directives.every((directive) => directive === '@shareable');
      });
      return type.kind === 'type' ? fields.map((found) => ({ subgraph, type, found })) : [];
    });
  });
  if (positions.length === 0) return;
  const { subgraph, type, found } = random.pick(positions);
  const selection = provideFrom(draft, subgraph, baseOf(found.type), 0);
  if (selection !== undefined && selection !== '') direct(type, found.name, `@provides(fields: "${selection}")`);
}

function implementersIn({ types }: DraftSubgraph, base: string): ReadonlySet<string> {
  return new Set([...types.values()].filter(({ interfaces }) => interfaces.has(base)).map(({ name }) => name));
}

function wrapFragment(member: string, selection: string | undefined): readonly string[] {
  return selection === undefined ? [] : [`... on ${member} { ${selection} }`];
}

/** Lists what can be provided inside of a type. */
function provideFrom(draft: Draft, subgraph: DraftSubgraph, base: string, depth: number): string | undefined {
  const { random } = draft;
  const members = subgraph.unions.get(base) ?? implementersIn(subgraph, base);
  if (members.size === 0)
    return depth < 2 && random.chance(0.35) ? provideThrough(draft, subgraph, base, depth) : provideField(draft, subgraph, base, depth);
  const common = random.chance(0.4) ? provideOfAll(draft, subgraph, base, members) : undefined;
  const fragments = [...members].flatMap((member) => wrapFragment(member, provideFrom(draft, subgraph, member, depth)));
  return common ?? (fragments.length === 0 ? undefined : fragments.join(' '));
}

/** Provides a field of an interface, which no implementation resolves in this subgraph any more. */
function provideOfAll(draft: Draft, subgraph: DraftSubgraph, base: string, members: ReadonlySet<string>): string | undefined {
  const types = [...members].flatMap((member) => subgraph.types.get(member) ?? []);
  const isKeyField = (name: string): boolean =>
    types.some(({ keys }) => keys.some(({ fields }) => new RegExp(`\\b${name}\\b`).test(fields)));
  const candidates = [...(subgraph.types.get(base)?.fields.values() ?? [])].filter(({ name, args, type }) => {
    const isElsewhere = types.every(
      (member) => member.keys.length > 0 && definersOf(draft, member.name, name).some((other) => other !== subgraph),
    );
    return args === '' && isSayable(type) && isLeaf(baseOf(type)) && isElsewhere && !isKeyField(name);
  });
  if (candidates.length === 0) return undefined;
  const { name } = draft.random.pick(candidates);
  for (const member of types) {
    const own = member.fields.get(name);
    if (own !== undefined) member.fields.set(name, { ...own, directives: ['@external'] });
    shareEverywhere(draft, member.name, name);
  }
  return name;
}

/** Lists what can be provided inside of an object that the subgraph resolves itself. */
function provideThrough(draft: Draft, subgraph: DraftSubgraph, base: string, depth: number): string | undefined {
  const own = [...(subgraph.types.get(base)?.fields.values() ?? [])].filter(({ args, type, directives }) => {
    return args === '' && draft.blueprints.has(baseOf(type)) && directives.every((directive) => directive === '@shareable');
  });
  if (own.length === 0) return undefined;
  const { name, type } = draft.random.pick(own);
  const inner = provideFrom(draft, subgraph, baseOf(type), depth + 1);
  return inner === undefined ? undefined : `${name} { ${inner} }`;
}

/** Provides a field that only other subgraphs resolve elsewhere. */
function provideField(draft: Draft, subgraph: DraftSubgraph, base: string, depth: number): string | undefined {
  const { random, blueprints } = draft;
  const type = subgraph.types.get(base);
  if (type === undefined || type.keys.length === 0 || type.kind !== 'type' || type.directives.has('@interfaceObject')) return undefined;
  const candidates = foreignFields(draft, subgraph, type).filter(({ args, type: result, directives }) => {
    const known = blueprints.get(baseOf(result))?.kind;
    const isKnown = isLeaf(baseOf(result)) || known === 'value' || (known === 'entity' && depth < 2);
    return args === '' && isKnown && isSayable(result) && directives.every((directive) => directive === '@shareable');
  });
  if (candidates.length === 0) return undefined;
  const found = random.pick(candidates);
  const inner = selectProvided(draft, subgraph, baseOf(found.type), depth);
  if (inner === undefined) return undefined;
  placeField(draft, subgraph, type, { ...found, directives: ['@external'] });
  shareEverywhere(draft, base, found.name);
  return `${found.name}${inner}`;
}

/** Whether a subgraph can return all values of a type that it provides. No subgraph knows all values of this enum. */
function isSayable(type: string): boolean {
  return baseOf(type) !== 'Mood';
}

function shareEverywhere(draft: Draft, type: string, name: string): void {
  for (const owner of definersOf(draft, type, name)) {
    const position = owner.types.get(type);
    if (position !== undefined) direct(position, name, '@shareable');
  }
}

/**
 * Writes the leaves of a value type that have no arguments, because arguments cannot be provided. For an entity, it writes what can be
 * provided inside of it.
 */
function selectProvided(draft: Draft, subgraph: DraftSubgraph, base: string, depth: number): string | undefined {
  if (isLeaf(base)) return '';
  const type = ensureType(draft, subgraph, base);
  if (draft.blueprints.get(base)?.kind === 'entity') {
    const inner = provideField(draft, subgraph, base, depth + 1);
    return inner === undefined ? undefined : ` { ${inner} }`;
  }
  const leaves = [...(type?.fields.values() ?? [])].filter(({ args, type: result }) => args === '' && isLeaf(baseOf(result)));
  return leaves.length === 0 ? undefined : ` { ${leaves.map(({ name }) => name).join(' ')} }`;
}
