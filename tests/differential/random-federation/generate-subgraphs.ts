import { createRandom } from '../../support/random/random.ts';
import {
  type Draft,
  type DraftEntity,
  type DraftKey,
  type DraftSubgraph,
  type DraftType,
  LEAVES,
  baseOf,
  direct,
  field,
  newType,
  writeSubgraphs,
} from './draft.ts';
import { addFeatures } from './features.ts';
import { canHave, drawArguments, drawType, drawValueField, ensureType, loosen, placeField, wrap } from './assign-types.ts';
import type { SubgraphText } from './read-facts.ts';
import { VOLATILE } from './world.ts';

const NAMES = ['f0', 'f1', 'f2', 'f3', 'f4', 'name', 'size'];

/** Names of the subgraphs of all graphs. */
export const SUBGRAPH_NAMES = ['a', 'b', 'c', 'd', 'e'] as const;

/** Drafts two to five subgraphs of one graph. Most drafts compose. */
export function generateSubgraphs(seed: number): readonly SubgraphText[] {
  const random = createRandom(seed);
  const count = random.pick([2, 2, 3, 3, 3, 4, 5]);
  const subgraphs = SUBGRAPH_NAMES.slice(0, count).map(
    (name): DraftSubgraph => ({ name, types: new Map(), unions: new Map(), unionDirectives: new Map(), forbidden: new Set() }),
  );
  const draft: Draft = { random, subgraphs, blueprints: new Map() };
  drawBlueprints(draft);
  drawEntityFields(draft);
  drawRoots(draft);
  addFeatures(draft);
  return writeSubgraphs(draft);
}

function drawBlueprints(draft: Draft): void {
  const { random, subgraphs, blueprints } = draft;
  blueprints.set('Org', { kind: 'value', name: 'Org', fields: [field('code', 'String!'), field('label', 'String')] });
  const values = ['V0', 'V1'].slice(0, random.below(3));
  const entities = ['E0', 'E1', 'E2', 'E3'].slice(0, 2 + random.below(3));
  for (const name of entities) blueprints.set(name, drawEntity(draft, name, random.pick(subgraphs)));
  for (const [index, name] of values.entries()) {
    const others = [...values.slice(0, index), ...entities.slice(0, 2)];
    const fields = NAMES.slice(0, 2 + random.below(3)).map((item) => drawValueField(draft, item, others));
    blueprints.set(name, { kind: 'value', name, fields });
  }
  if (random.chance(0.5)) {
    const fields = ['n0', 'n1'].slice(0, 1 + random.below(2)).map((item) => {
      return field(item, wrap(draft, random.chance(0.25) ? random.pick(entities) : random.pick(LEAVES)), drawArguments(draft, 0.2));
    });
    const implementers = entities.slice(0, 2 + random.below(2));
    if (random.chance(0.3)) {
      blueprints.set('V2', { kind: 'value', name: 'V2', fields: [...fields, field('f0', wrap(draft, random.pick(LEAVES)))] });
      implementers.push('V2');
    }
    blueprints.set('I0', { kind: 'interface', name: 'I0', implementers, fields });
    if (random.chance(0.3)) {
      const more = [...fields, field('n2', wrap(draft, random.pick(LEAVES)), drawArguments(draft, 0.1))];
      blueprints.set('I1', {
        kind: 'interface',
        name: 'I1',
        parent: 'I0',
        implementers: entities.slice(0, 1 + random.below(2)),
        fields: more,
      });
    }
  }
  if (random.chance(0.5)) {
    const members = [...entities, ...values].filter(() => random.chance(0.7));
    if (members.length > 0) blueprints.set('U0', { kind: 'union', name: 'U0', members });
  }
}

function drawEntity(draft: Draft, name: string, home: DraftSubgraph): DraftEntity {
  const { random } = draft;
  const id: DraftKey = { text: 'id', fields: [field('id', 'ID!')] };
  const others: DraftKey[] = [
    { text: 'code', fields: [field('code', 'String!')] },
    { text: 'k1 k2', fields: [field('k1', 'Int!'), field('k2', 'String!')] },
    { text: 'org { code }', fields: [field('org', 'Org!', '', ['@shareable'])] },
    { text: 'id code', fields: [field('id', 'ID!'), field('code', 'String!')] },
    { text: 'parts { code }', fields: [field('parts', '[Org!]!', '', ['@shareable'])] },
    ...keyThrough(draft),
  ];
  const second = others.filter(() => random.chance(0.2));
  const keys = random.chance(0.8) || second.length === 0 ? [id, ...second] : [...second, id];
  return { kind: 'entity', name, home, keys };
}

/** Draws a key that contains the key of an entity that was drawn before, so that no key needs itself. */
function keyThrough({ random, blueprints }: Draft): readonly DraftKey[] {
  const drawn = [...blueprints.values()].filter((known) => known.kind === 'entity');
  if (drawn.length === 0) return [];
  const { name: entity, keys } = random.pick(drawn);
  const key = random.pick(keys);
  return [{ text: `owner { ${key.text} }`, fields: [field('owner', `${entity}!`, '', ['@shareable'])], through: { entity, key } }];
}

function drawEntityFields(draft: Draft): void {
  const { random, subgraphs, blueprints } = draft;
  for (const entity of blueprints.values()) {
    if (entity.kind !== 'entity') continue;
    const present = subgraphs.filter((subgraph) => subgraph === entity.home || random.chance(0.6));
    for (const subgraph of present) ensureType(draft, subgraph, entity.name);
    if (random.chance(0.4)) drawVolatile(random.pick(present).types.get(entity.name));
    for (const name of NAMES.filter(() => random.chance(0.65))) {
      const owners = random.chance(0.25) ? present.filter(() => random.chance(0.6)) : [];
      if (owners.length === 0) owners.push(random.pick(present));
      drawSharedField(draft, entity.name, name, owners);
    }
  }
}

/** Adds a field that shows whether the fields below one mutation field are fetched before the next mutation begins. */
function drawVolatile(type: DraftType | undefined): void {
  type?.fields.set(VOLATILE, field(VOLATILE, 'Int!'));
}

/** Adds one field to one or more subgraphs. */
function drawSharedField(draft: Draft, typeName: string, name: string, owners: readonly DraftSubgraph[]): void {
  const { random } = draft;
  const [first] = owners;
  if (first === undefined) return;
  const type = drawType(draft, first);
  const args = drawArguments(draft);
  const isLoosened = random.chance(0.15);
  for (const owner of owners) {
    const position = ensureType(draft, owner, typeName);
    if (position === undefined || position.fields.has(name) || !canHave(draft, owner, baseOf(type))) continue;
    const here = isLoosened && random.chance(0.5) ? loosen(type) : type;
    // An argument that not all subgraphs declare is not part of the graph.
    const extra = owners.length > 1 && args !== '' && random.chance(0.2) ? args.replace(')', ', extra: Int)') : args;
    placeField(draft, owner, position, field(name, here, extra));
    if (owners.length > 1) direct(position, name, '@shareable');
  }
}

function drawRoots(draft: Draft): void {
  const { random, subgraphs } = draft;
  let counter = 0;
  for (const subgraph of subgraphs) {
    const count = subgraph === subgraphs[0] ? 2 + random.below(2) : random.below(3);
    for (let index = 0; index < count; index += 1) {
      counter += 1;
      const sharing = random.chance(0.15) ? subgraphs.filter((other) => other === subgraph || random.chance(0.5)) : [subgraph];
      const type = drawType(draft, subgraph, 0.08);
      const args = drawArguments(draft, 0.3);
      for (const owner of sharing) {
        if (!canHave(draft, owner, baseOf(type))) continue;
        const query = rootOf(owner, 'Query');
        placeField(draft, owner, query, field(`q${counter}`, type, args, sharing.length > 1 ? ['@shareable'] : []));
      }
    }
  }
  if (random.chance(0.4)) drawMutations(draft);
}

function drawMutations(draft: Draft): void {
  const { random, subgraphs } = draft;
  for (let index = 0; index < 3; index += 1) {
    const subgraph = random.pick(subgraphs);
    const type = random.chance(0.3) ? 'Int!' : drawType(draft, subgraph, 0.2);
    placeField(draft, subgraph, rootOf(subgraph, 'Mutation'), field(`m${index}`, type, drawArguments(draft, 0.4)));
  }
}

/** Returns the root type of a subgraph, and creates it if it does not exist. */
function rootOf(subgraph: DraftSubgraph, name: 'Query' | 'Mutation') {
  const type = subgraph.types.get(name) ?? newType(name);
  subgraph.types.set(name, type);
  return type;
}
