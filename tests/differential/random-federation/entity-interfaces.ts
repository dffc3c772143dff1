import { type Draft, type DraftField, type DraftKey, type DraftSubgraph, LEAVES, direct, field, newType } from './draft.ts';
import { addKey, addReferences, drawArguments, drawType, ensureType, placeField, wrap } from './assign-types.ts';

const NAME = 'M0';

const ID: DraftKey = { text: 'id', fields: [field('id', 'ID!')] };
const CODE: DraftKey = { text: 'code', fields: [field('code', 'String!')] };

/** An interface with keys, as all subgraphs declare it. */
interface EntityInterface {
  readonly home: DraftSubgraph;
  readonly keys: readonly DraftKey[];
  readonly implementers: readonly string[];
  /** Fields of the interface in its home subgraph, in addition to keys. */
  readonly fields: readonly DraftField[];
}

/**
 * Adds an interface with keys: subgraphs that have it with all its implementations, that declare it as an object, or that know one
 * implementation.
 */
export function addEntityInterface(draft: Draft): void {
  const { random, subgraphs, blueprints } = draft;
  const home = random.pick(subgraphs);
  const keys = random.chance(0.3) ? [ID, CODE] : [ID];
  const implementers = ['M1', 'M2', 'M3'].slice(0, 2 + random.below(2));
  const fields = [field('m0', wrap(draft, random.pick(LEAVES)), drawArguments(draft)), field('m1', drawType(draft, home, 0.5))];
  const known: EntityInterface = { home, keys, implementers, fields };
  for (const name of implementers) blueprints.set(name, { kind: 'entity', name, home, keys });
  placeInterface(draft, home, { ...known, keys });
  for (const name of implementers) {
    const type = ensureType(draft, home, name);
    if (type !== undefined) placeField(draft, home, type, field('own', drawType(draft, home), drawArguments(draft)));
  }
  blueprints.set(NAME, { kind: 'interface', name: NAME, implementers, fields });
  if (random.chance(0.4)) placeOthersAround(draft, known);
  const referring = [home];
  for (const [index, subgraph] of subgraphs.filter((other) => other !== home).entries()) {
    const roll = random.next();
    if (roll < (index === 0 ? 0.75 : 0.4)) placeObject(draft, subgraph, known);
    else if (roll < 0.85) placeObjectType(draft, subgraph, known);
    else {
      placeImplementer(draft, subgraph, known);
      continue;
    }
    referring.push(subgraph);
  }
  addReferences(draft, referring, NAME);
}

/** Adds a union and an interface without keys that contain some implementations too, and other entities. */
function placeOthersAround(draft: Draft, { home, implementers }: EntityInterface): void {
  const { random, blueprints } = draft;
  const members = [...implementers, 'E0'].filter(() => random.chance(0.7));
  if (members.length === 0) return;
  blueprints.set('U1', { kind: 'union', name: 'U1', members });
  blueprints.set('I2', { kind: 'interface', name: 'I2', implementers: members, fields: [field('i2', wrap(draft, random.pick(LEAVES)))] });
  addReferences(draft, [home], random.pick(['U1', 'I2']));
}

/** Adds a subgraph that declares the interface as its home subgraph does, with further fields. */
function placeObjectType(draft: Draft, subgraph: DraftSubgraph, known: EntityInterface): void {
  const { random } = draft;
  const shared = known.fields.filter(() => random.chance(0.5));
  const own = field(`t${subgraph.name}`, drawType(draft, subgraph), drawArguments(draft));
  placeInterface(draft, subgraph, { ...known, keys: drawKeys(draft, known), fields: [...shared, own] });
  for (const position of [known.home, subgraph]) {
    for (const name of known.implementers) {
      const type = position.types.get(name);
      for (const found of shared) if (type !== undefined) direct(type, found.name, '@shareable');
    }
  }
}

function placeInterface(draft: Draft, subgraph: DraftSubgraph, { keys, implementers, fields }: EntityInterface): void {
  const type = newType(NAME, 'interface');
  subgraph.types.set(NAME, type);
  for (const key of keys) addKey(draft, subgraph, type, key);
  for (const found of fields) placeField(draft, subgraph, type, found);
  for (const name of implementers) {
    const implementer = ensureType(draft, subgraph, name);
    if (implementer === undefined) continue;
    implementer.interfaces.add(NAME);
    for (const key of keys) addKey(draft, subgraph, implementer, key);
    for (const found of fields) placeField(draft, subgraph, implementer, found);
  }
}

function placeObject(draft: Draft, subgraph: DraftSubgraph, known: EntityInterface): void {
  const { random } = draft;
  for (const name of known.implementers) subgraph.forbidden.add(name);
  const object = newType(NAME);
  object.directives.add('@interfaceObject');
  subgraph.types.set(NAME, object);
  for (const key of drawKeys(draft, known)) addKey(draft, subgraph, object, key);
  if (random.chance(0.15)) {
    // The subgraph only refers to values of the interface.
    for (const key of object.keys) key.isResolvable = false;
    return;
  }
  placeField(draft, subgraph, object, field(`x${subgraph.name}`, drawType(draft, subgraph), drawArguments(draft)));
  if (random.chance(0.4)) placeField(draft, subgraph, object, field('shared', 'String', '', ['@shareable']));
}

function placeImplementer(draft: Draft, subgraph: DraftSubgraph, { implementers }: EntityInterface): void {
  const type = ensureType(draft, subgraph, draft.random.pick(implementers));
  if (type !== undefined) placeField(draft, subgraph, type, field(`far${subgraph.name}`, drawType(draft, subgraph)));
}

function drawKeys({ random }: Draft, { keys }: EntityInterface): readonly DraftKey[] {
  return random.chance(0.3) ? keys : [random.pick(keys)];
}
