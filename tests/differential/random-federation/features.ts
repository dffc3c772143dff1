import { type Draft, type DraftSubgraph, type DraftType, LEAVES, baseOf, definersOf, direct, field, newType } from './draft.ts';
import { addContext } from './contexts.ts';
import { addEntityInterface } from './entity-interfaces.ts';
import { canHave, drawArguments, ensureType, placeField, wrap } from './assign-types.ts';
import { addProvides, addRequires } from './required-fields.ts';

/** Adds features that make planning hard to drafted subgraphs. */
export function addFeatures(draft: Draft): void {
  const { random } = draft;
  if (random.chance(0.3)) addSplitValue(draft);
  if (random.chance(0.35)) addEntityInterface(draft);
  if (random.chance(0.35)) addOverrides(draft);
  if (random.chance(0.15)) addContext(draft);
  for (let index = random.below(5); index > 0; index -= 1) addRequires(draft, `r${index}`);
  for (let index = random.below(3); index > 0; index -= 1) addProvides(draft);
  if (random.chance(0.4)) hide(draft);
  closeStubs(draft);
}

/** Adds an object type with different fields in several subgraphs, all of which have the field that leads to it. */
function addSplitValue(draft: Draft): void {
  const { random, subgraphs, blueprints } = draft;
  const entity = [...blueprints.values()].find(({ kind }) => kind === 'entity');
  if (entity === undefined) return;
  const positions = subgraphs.filter((subgraph) => random.chance(0.7) || subgraph.types.has(entity.name));
  const isEverywhere = random.chance(0.5);
  const outer = wrap(draft, 'W0');
  for (const [index, subgraph] of positions.entries()) {
    const type = newType('W0');
    type.directives.add('@shareable');
    subgraph.types.set('W0', type);
    if (isEverywhere || index === 0) placeField(draft, subgraph, type, field('w', 'String'));
    placeField(draft, subgraph, type, field(`w${index}`, wrap(draft, random.pick(LEAVES)), drawArguments(draft, 0.2)));
    const parent = ensureType(draft, subgraph, entity.name);
    if (parent !== undefined) placeField(draft, subgraph, parent, field('split', outer, '', ['@shareable']));
  }
}

/** Adds fields that move from one subgraph to another, permanently or under a label. */
function addOverrides(draft: Draft): void {
  const { random, subgraphs } = draft;
  for (const from of subgraphs) {
    for (const type of from.types.values()) {
      const isMovable = type.kind === 'type' && (type.keys.length > 0 || type.name === 'Query') && !type.directives.has('@interfaceObject');
      if (!isMovable || !random.chance(0.3)) continue;
      const movable = [...type.fields.values()].filter(({ name, directives }) => {
        return /^[fq]\d/.test(name) && directives.length === 0 && definersOf(draft, type.name, name).length === 1;
      });
      const targets = subgraphs.filter((subgraph) => subgraph !== from && !subgraph.forbidden.has(type.name));
      if (movable.length === 0 || targets.length === 0) continue;
      moveField(draft, { from, type, name: random.pick(movable).name }, random.pick(targets));
    }
  }
}

function moveField(
  draft: Draft,
  { from, type, name }: { readonly from: DraftSubgraph; readonly type: DraftType; readonly name: string },
  target: DraftSubgraph,
): void {
  const { random } = draft;
  const found = type.fields.get(name);
  const position = type.name === 'Query' ? (target.types.get('Query') ?? newType('Query')) : ensureType(draft, target, type.name);
  if (found === undefined || position === undefined || position.fields.has(name) || !canHave(draft, target, baseOf(found.type))) return;
  target.types.set(type.name, position);
  const label = random.pick(['', '', ', label: "percent(0)"', ', label: "percent(100)"', ', label: "custom"', ', label: "other"']);
  placeField(draft, target, position, { ...found, directives: [`@override(from: "${from.name}"${label})`] });
}

/** Removes fields, and types with the fields that lead to them, from the public schema. */
function hide(draft: Draft): void {
  const { random, subgraphs } = draft;
  const hidden = random.chance(0.3) ? random.pick(['V0', 'V1']) : undefined;
  const names = new Set(['f1', 'code', 'k1', 'size'].filter(() => random.chance(0.3)));
  for (const { types } of subgraphs) {
    for (const type of types.values()) {
      if (type.name === hidden) type.directives.add('@inaccessible');
      for (const found of type.fields.values()) {
        const isHidden = (type.keys.length > 0 && names.has(found.name)) || baseOf(found.type) === hidden;
        if (isHidden && !found.directives.includes('@external')) direct(type, found.name, '@inaccessible');
      }
    }
  }
}

/** Makes keys unresolvable in subgraphs that only refer to an entity, and some keys in subgraphs with several keys. */
function closeStubs({ random, subgraphs, blueprints }: Draft): void {
  for (const subgraph of subgraphs) {
    for (const type of subgraph.types.values()) {
      const entity = blueprints.get(type.name);
      if (entity?.kind !== 'entity' || entity.home === subgraph) continue;
      // Implementations must have the keys of their interface.
      if ([...type.interfaces].some((name) => (subgraph.types.get(name)?.keys.length ?? 0) > 0)) continue;
      const keyFields = new Set(entity.keys.flatMap(({ fields }) => fields.map(({ name }) => name)));
      const isStub = [...type.fields.values()].every(({ name, directives }) => keyFields.has(name) || directives.includes('@external'));
      if (isStub && random.chance(0.4)) for (const key of type.keys) key.isResolvable = false;
      else if (type.keys.length > 1 && random.chance(0.4)) random.pick(type.keys).isResolvable = false;
    }
  }
}
