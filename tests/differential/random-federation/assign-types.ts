import {
  type Draft,
  type DraftEntity,
  type DraftField,
  type DraftInterface,
  type DraftKey,
  type DraftSubgraph,
  type DraftType,
  LEAVES,
  baseOf,
  direct,
  field,
  newType,
} from './draft.ts';

const ARGUMENTS = [
  '(a: Int)',
  '(a: Int = 3)',
  '(s: String! = "x", e: Color)',
  '(filter: Filter)',
  '(ids: [ID!], deep: [[Int]])',
  '(n: Int!)',
  '(e: Color = GREEN, b: Boolean)',
  '(size: Size = S)',
  '(json: JSON, number: Float)',
];

/** Draws arguments for a field. Most fields have none. */
export function drawArguments({ random }: Draft, probability = 0.2): string {
  return random.chance(probability) ? random.pick(ARGUMENTS) : '';
}

/** Wraps a type in lists and non-nulls. */
export function wrap({ random }: Draft, base: string): string {
  const shapes = ['T', 'T', 'T', 'T', 'T!', 'T!', '[T]', '[T!]', '[T!]!', '[T]!', '[[T]]', '[[T!]!]'];
  return random.pick(shapes).replace('T', base);
}

/** Draws a type that a field of a subgraph may have. */
export function drawType(draft: Draft, subgraph: DraftSubgraph, leaves = 0.5): string {
  const { random, blueprints } = draft;
  const composite = [...blueprints.values()].filter((known) => canHave(draft, subgraph, known.name));
  if (random.chance(leaves) || composite.length === 0) return wrap(draft, random.pick(LEAVES));
  return wrap(draft, random.pick(composite).name);
}

/** Whether a subgraph may reference a type. */
export function canHave({ blueprints }: Draft, subgraph: DraftSubgraph, name: string): boolean {
  const known = blueprints.get(name);
  if (known === undefined) return true;
  if (subgraph.forbidden.has(name)) return false;
  if (known.kind === 'union') return known.members.some((member) => !subgraph.forbidden.has(member));
  if (known.kind === 'interface') return known.implementers.some((member) => !subgraph.forbidden.has(member));
  return true;
}

/** Defines a type with its dependencies in a subgraph, unless it exists. */
export function ensureType(draft: Draft, subgraph: DraftSubgraph, name: string): DraftType | undefined {
  const { random, blueprints } = draft;
  const present = subgraph.types.get(name);
  if (present !== undefined) return present;
  const known = blueprints.get(name);
  if (known?.kind === 'entity') return ensureEntity(draft, subgraph, known);
  if (known?.kind === 'interface') return ensureInterface(draft, subgraph, known);
  if (known?.kind === 'value') {
    const type = newType(name);
    type.directives.add('@shareable');
    subgraph.types.set(name, type);
    for (const found of known.fields) placeField(draft, subgraph, type, found);
    return type;
  }
  if (known?.kind !== 'union' || subgraph.unions.has(name)) return undefined;
  const allowed = known.members.filter((member) => !subgraph.forbidden.has(member));
  const members = allowed.filter(() => random.chance(0.7));
  const chosen = members.length > 0 ? members : allowed.slice(0, 1);
  subgraph.unions.set(name, new Set(chosen));
  for (const member of chosen) ensureType(draft, subgraph, member);
  return undefined;
}

/** Defines a field in a subgraph, and the types that it references. */
export function placeField(draft: Draft, subgraph: DraftSubgraph, type: DraftType, found: DraftField): void {
  if (!type.fields.has(found.name)) type.fields.set(found.name, found);
  ensureType(draft, subgraph, baseOf(found.type));
}

function ensureEntity(draft: Draft, subgraph: DraftSubgraph, entity: DraftEntity): DraftType {
  const { random } = draft;
  const type = newType(entity.name);
  subgraph.types.set(entity.name, type);
  const [main, ...others] = entity.keys;
  const roll = random.next();
  const keys =
    subgraph === entity.home || roll < 0.12 ? entity.keys : roll < 0.3 && others.length > 0 ? [random.pick(others)] : main ? [main] : [];
  for (const key of keys) addKey(draft, subgraph, type, key);
  return type;
}

/** Adds a key to a type, unless it has the key. */
export function addKey(draft: Draft, subgraph: DraftSubgraph, type: DraftType, { text, fields, through }: DraftKey): void {
  if (!type.keys.some((known) => known.fields === text)) type.keys.push({ fields: text, isResolvable: true });
  for (const found of fields) placeField(draft, subgraph, type, found);
  if (through === undefined) return;
  const entity = ensureType(draft, subgraph, through.entity);
  if (entity !== undefined) addKey(draft, subgraph, entity, through.key);
}

function ensureInterface(draft: Draft, subgraph: DraftSubgraph, known: DraftInterface): DraftType {
  const { random } = draft;
  const type = newType(known.name, 'interface');
  subgraph.types.set(known.name, type);
  const allowed = known.implementers.filter((name) => !subgraph.forbidden.has(name));
  const implementers = allowed.filter(() => random.chance(0.7));
  const isWhole = known.parent !== undefined || hasChildren(draft, known.name);
  const chosenFields = known.fields.filter(() => isWhole || random.chance(0.7));
  const fields = chosenFields.length > 0 ? chosenFields : known.fields.slice(0, 1);
  if (known.parent !== undefined) {
    ensureType(draft, subgraph, known.parent);
    type.interfaces.add(known.parent);
  }
  for (const found of fields) placeField(draft, subgraph, type, found);
  for (const name of implementers.length > 0 ? implementers : allowed.slice(0, 1)) implement(draft, { subgraph, known, fields }, name);
  return type;
}

/** Makes an object type of a subgraph implement an interface there. */
function implement(
  draft: Draft,
  { subgraph, known, fields }: { subgraph: DraftSubgraph; known: DraftInterface; fields: readonly DraftField[] },
  name: string,
): void {
  const type = ensureType(draft, subgraph, name);
  if (type === undefined) return;
  type.interfaces.add(known.name);
  if (known.parent !== undefined) type.interfaces.add(known.parent);
  for (const inherited of fields) {
    const found = promised(name, inherited);
    placeField(draft, subgraph, type, found);
    if (!type.directives.has('@shareable')) direct(type, found.name, '@shareable');
  }
  const entity = draft.blueprints.get(name);
  if (entity?.kind !== 'entity') return;
  // At least one subgraph must have every field that any subgraph may declare on the interface.
  const home = ensureType(draft, entity.home, name);
  for (const inherited of known.fields) {
    if (home === undefined) break;
    const found = promised(name, inherited);
    placeField(draft, entity.home, home, found);
    direct(home, found.name, '@shareable');
  }
}

function hasChildren({ blueprints }: Draft, name: string): boolean {
  return [...blueprints.values()].some((known) => known.kind === 'interface' && known.parent === name);
}

/** Makes some implementations stricter than their interface, equally in each subgraph. */
function promised(name: string, inherited: DraftField): DraftField {
  const isStrict = (name === 'E0' || name === 'E3') && !inherited.type.endsWith('!');
  return isStrict ? { ...inherited, type: `${inherited.type}!` } : inherited;
}

/** Makes the type of a nullable field less strict, which composition allows among subgraphs that share it. */
export function loosen(type: string): string {
  return type.endsWith('!') ? type.slice(0, -1) : type.replace('!]', ']');
}

/** Draws a field of a value type: mostly of leaf type. */
export function drawValueField(draft: Draft, name: string, others: readonly string[]): DraftField {
  const { random } = draft;
  const base = others.length > 0 && random.chance(0.3) ? random.pick(others) : random.pick(LEAVES);
  return field(name, wrap(draft, base), drawArguments(draft, 0.1));
}

/** Adds fields to root types, and sometimes to entities, that lead to a type. */
export function addReferences(draft: Draft, positions: readonly DraftSubgraph[], name: string): void {
  const { random } = draft;
  for (const [index, subgraph] of positions.entries()) {
    const query = subgraph.types.get('Query') ?? newType('Query');
    subgraph.types.set('Query', query);
    placeField(draft, subgraph, query, field(`${name.toLowerCase()}s${index}`, wrap(draft, name), drawArguments(draft)));
    const parents = [...subgraph.types.values()].filter(
      ({ kind, keys, name: other }) => kind === 'type' && keys.length > 0 && other !== name,
    );
    if (parents.length > 0 && random.chance(0.5)) {
      placeField(draft, subgraph, random.pick(parents), field(`to${name}${subgraph.name}`, wrap(draft, name)));
    }
  }
}
