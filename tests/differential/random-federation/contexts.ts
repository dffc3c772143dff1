import { type Draft, type DraftSubgraph, type DraftType, LEAVES, field, newType } from './draft.ts';
import { addReferences, drawArguments, placeField, wrap } from './assign-types.ts';

const CONTEXT = '@context(name: "giving")';

/** Variants of contexts: the type that opens the context, and the fields that nested fields read from it. */
const WAYS = [
  { opener: 'objects', reads: '$giving { given }' },
  { opener: 'objects', reads: '$giving ... on Giver { given } ... on Other { given }' },
  { opener: 'objects', reads: '$giving { gift { code } }' },
  { opener: 'interface', reads: '$giving { given }' },
  { opener: 'interface', reads: '$giving { gift { code } }' },
  { opener: 'union', reads: '$giving ... on Giver { given } ... on Other { gift { code } }' },
] as const;

/** Adds objects that pass a value to nested fields. */
export function addContext(draft: Draft): void {
  const { random, subgraphs } = draft;
  const home = random.pick(subgraphs);
  const path = random.pick(WAYS);
  const giver = placeEntity(home, 'Giver');
  const taker = placeEntity(home, 'Taker');
  placeGifts(draft, home, giver);
  giver.fields.set('takers', field('takers', wrap(draft, 'Taker')));
  giver.fields.set('taker', field('taker', 'Taker'));
  taker.fields.set('taken', field('taken', wrap(draft, random.pick(LEAVES)), `(from: String @fromContext(field: "${path.reads}"))`));
  taker.fields.set('own', field('own', 'Int', drawArguments(draft)));
  taker.fields.set('givers', field('givers', wrap(draft, 'Giver')));
  const other = random.pick(subgraphs);
  if (other !== home) placeFar(draft, other, giver);
  const givers = [giver];
  if (path.reads.includes('Other') || random.chance(0.5)) givers.push(placeSecondGiver(draft, home, giver));
  open(draft, home, path.opener, givers);
  addReferences(draft, [home], 'Giver');
}

function placeEntity({ types }: DraftSubgraph, name: string): DraftType {
  const type = newType(name);
  type.keys.push({ fields: 'id', isResolvable: true });
  type.fields.set('id', field('id', 'ID!'));
  types.set(name, type);
  return type;
}

function placeGifts(draft: Draft, subgraph: DraftSubgraph, type: DraftType): void {
  placeField(draft, subgraph, type, field('given', 'String'));
  placeField(draft, subgraph, type, field('gift', 'Org'));
}

/** Adds a subgraph that has more of the receiving type, and sometimes the passed value. */
function placeFar(draft: Draft, subgraph: DraftSubgraph, giver: DraftType): void {
  placeEntity(subgraph, 'Taker').fields.set('far', field('far', 'String'));
  if (!draft.random.chance(0.5)) return;
  placeEntity(subgraph, 'Giver').fields.set('given', field('given', 'String'));
  giver.fields.set('given', field('given', 'String', '', ['@external']));
}

/** Adds another type that opens the same context, with nested objects of the first type: the nearest one applies. */
function placeSecondGiver(draft: Draft, subgraph: DraftSubgraph, giver: DraftType): DraftType {
  const other = newType('Other');
  subgraph.types.set('Other', other);
  placeGifts(draft, subgraph, other);
  other.fields.set('taker', field('taker', 'Taker'));
  other.fields.set('inner', field('inner', wrap(draft, 'Giver')));
  giver.fields.set('other', field('other', wrap(draft, 'Other')));
  return other;
}

function open(draft: Draft, subgraph: DraftSubgraph, opener: (typeof WAYS)[number]['opener'], givers: readonly DraftType[]): void {
  if (opener === 'objects') {
    for (const giver of givers) giver.directives.add(CONTEXT);
  } else if (opener === 'union') {
    subgraph.unions.set('Givers', new Set(givers.map(({ name }) => name)));
    subgraph.unionDirectives.set('Givers', CONTEXT);
    addReferences(draft, [subgraph], 'Givers');
  } else {
    const type = newType('Giving', 'interface');
    type.directives.add(CONTEXT);
    subgraph.types.set('Giving', type);
    placeGifts(draft, subgraph, type);
    type.fields.set('taker', field('taker', 'Taker'));
    for (const giver of givers) giver.interfaces.add('Giving');
    addReferences(draft, [subgraph], 'Giving');
  }
}
