import { describe, expect, it } from '@jest/globals';
import { buildSchema, type FieldNode, Kind, OverlappingFieldsCanBeMergedRule, parse, type SelectionNode, validate } from 'graphql';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { dataKeyOf } from '../../../../gateway/planning/data-keys.ts';
import type { OperationPlan, PlanField, PlanSelection } from '../../../../gateway/planning/operation-plan.ts';
import { compose, planOver } from '../../../support/planning/plan-text.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';

const SEED = Number(process.env['GENERATED_KEYS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const GRAPHS = Number(process.env['GENERATED_KEYS_GRAPHS'] ?? 20);

/** Names that resemble the names that the planner generates. */
const NAMES = ['a', 'a_', 'a__', 'a__1', 'a__2', 'a___1', 'a_0', 'a_1', 'a_0_', 'a_1_', 'a_x', 'a_x_0', 'a_x_0__1', 'a_0__1', 'a_0___1'];
const OBJECTS = ['Cat', 'Dog', 'Bird'];
const TYPES = ['Int', 'String', '[Int]', 'Int!', 'Box', '[Box]', 'Pet'];

/** A field of an object type. */
interface NamedField {
  readonly name: string;
  readonly type: string;
}

interface RandomGraph {
  readonly sdl: string;
  readonly fields: ReadonlyMap<string, readonly NamedField[]>;
}

function randomGraph(random: Random): RandomGraph {
  const names = NAMES.filter(() => random.chance(0.4));
  const fields = new Map(
    OBJECTS.map((object) => [object, names.filter(() => random.chance(0.8)).map((name) => ({ name, type: random.pick(TYPES) }))]),
  );
  const definitions = OBJECTS.map((object) => {
    const own = (fields.get(object) ?? []).map(({ name, type }) => `${name}(n: Int): ${type}`);
    return `type ${object} @key(fields: "id") { id: ID! ${own.join(' ')} }`;
  });
  return { sdl: `${definitions.join('\n')}\nunion Pet = ${OBJECTS.join(' | ')}\ntype Box { of(n: Int): Int }`, fields };
}

function writeSelections({ fields }: RandomGraph, random: Random, depth = 0): string {
  const inside = (type: string): string => {
    if (/Box/.test(type)) return ' { of(n: 1) of2: of(n: 2) }';
    return type === 'Pet' ? ` { __typename ${depth < 1 ? writeSelections({ fields, sdl: '' }, random, depth + 1) : ''} }` : '';
  };
  const ofObject = (object: string): string => {
    const own = (fields.get(object) ?? []).flatMap(({ name, type }) =>
      ['', '(n: 0)', '(n: 1)']
        .filter(() => random.chance(0.5))
        .map((given) => `${object}${name}${given.replaceAll(/\W/g, '')}: ${name}${given}${inside(type)}`),
    );
    return `... on ${object} { __typename ${own.join(' ')} }`;
  };
  return OBJECTS.map(ofObject).join(' ');
}

/** Returns a message for each response key that two different fields of one selection set have. */
function conflictsIn(selectionSets: readonly (readonly PlanSelection[])[], path = ''): readonly string[] {
  const byKey = new Map<string, PlanField[]>();
  const add = (selection: PlanSelection): void => {
    if (selection.kind === 'fragment') selection.selections.forEach(add);
    else byKey.set(selection.key, [...(byKey.get(selection.key) ?? []), selection]);
  };
  for (const selections of selectionSets) selections.forEach(add);
  return [...byKey].flatMap(([key, fields]) => {
    const names = new Set(fields.map(({ name, arguments: given = '' }) => name + given));
    const own = names.size > 1 ? [`${path}${key}: ${[...names].join(' and ')}`] : [];
    return own.concat(
      conflictsIn(
        fields.map(({ selections = [] }) => selections),
        `${path}${key}.`,
      ),
    );
  });
}

function conflictsOf({ fetches }: OperationPlan): readonly string[] {
  return fetches.flatMap(({ selections = [], lookups = [] }) => [
    ...conflictsIn([selections]),
    ...lookups.flatMap((lookup) => conflictsIn([lookup.selections])),
  ]);
}

/** Returns the keys of the fields of a type among the selections of `pets`. */
function keysOfType({ fetches }: OperationPlan, object: string): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (selection: PlanSelection, isOfType: boolean): void => {
    if (selection.kind === 'fragment') for (const inside of selection.selections) add(inside, selection.type === object);
    else if (isOfType) keys.add(selection.key);
  };
  for (const { selections = [], lookups = [] } of fetches) {
    for (const selection of selections) if (selection.kind === 'field') for (const inside of selection.selections ?? []) add(inside, true);
    for (const lookup of lookups) for (const selection of lookup.selections) add(selection, true);
  }
  return keys;
}

function fieldsOf(document: string): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, readonly FieldNode[]>();
  const visit = (node: SelectionNode): void => {
    if (node.kind === Kind.FIELD && node.name.value === 'pets') node.selectionSet?.selections.forEach(visit);
    if (node.kind !== Kind.INLINE_FRAGMENT) return;
    const inside = node.selectionSet.selections.filter((one) => one.kind === Kind.FIELD && one.name.value !== '__typename');
    fields.set(node.typeCondition?.name.value ?? '', inside as readonly FieldNode[]);
  };
  const [operation] = parse(document).definitions;
  if (operation?.kind === Kind.OPERATION_DEFINITION) operation.selectionSet.selections.forEach(visit);
  return fields;
}

const PETS = 'type Query { pets: [Pet] }';

describe('generated data keys', () => {
  it.each([
    ['names that differ in the final underscore', 'a: Int a_: Int a__1: Int', 'a: String a_: String', 'a a_'],
    [
      'a number that the names with an underscore also have',
      'a(n: Int): Int a_1_: Int a__1: Int',
      'a(n: Int): String a_1_: String',
      'a(n: 0) a(n: 1) a_1_',
    ],
    ['a name like that of a field with arguments', 'a_(n: Int): Int a_x_0__1: Int', 'a_(n: Int): String', 'a_(n: 0)'],
  ])('are unique with %s', (_name, cat, dog, selected) => {
    const sdl = `${PETS} union Pet = Cat | Dog type Cat { ${cat} } type Dog { ${dog} }`;
    const aliased = (prefix: string, text: string): string => text.replaceAll(/(\w+)(\(n: (\d)\))?/g, `${prefix}$1$3: $1$2`);
    const own = [...cat.matchAll(/(\w+)(?:\(n: Int\))?: Int/g)].map(([, name = '']) => name).filter((name) => !selected.includes(name));
    const document = `{ pets { ... on Cat { ${aliased('c', `${selected} ${own.join(' ')}`.trim())} } ... on Dog { ${aliased('d', selected)} } } }`;
    const plan = createQueryPlanner(compose({ a: sdl })).plan({ document, conditions: {}, labels: [] });
    expect({ document, conflicts: conflictsOf(plan) }).toEqual({ document, conflicts: [] });
  });

  it(`are unique for random names, and are those of the response, seed ${SEED} (GENERATED_KEYS_SEED)`, () => {
    for (let seed = SEED; seed < SEED + GRAPHS; seed += 1) {
      const random = createRandom(seed);
      const graph = randomGraph(random);
      const document = `{ pets { __typename ${writeSelections(graph, random)} } }`;
      const one = { a: `${PETS}\n${graph.sdl}` };
      const ids = OBJECTS.map((object) => `type ${object} @key(fields: "id") { id: ID! }`).join('\n');
      const two = { a: `${PETS}\n${ids}\nunion Pet = ${OBJECTS.join(' | ')}`, b: graph.sdl };
      for (const subgraphs of [one, two]) {
        const plan = createQueryPlanner(compose(subgraphs)).plan({ document, conditions: {}, labels: [] });
        expect({ seed, subgraphs, document, conflicts: conflictsOf(plan) }).toEqual({ seed, subgraphs, document, conflicts: [] });
        for (const [object, fields] of fieldsOf(document)) {
          const keys = keysOfType(plan, object);
          const missing = fields.filter((field) => !keys.has(dataKeyOf(plan.keys, field, object, true)));
          expect({ seed, missing: missing.map(({ name }) => name.value) }).toEqual({ seed, missing: [] });
        }
      }
      const schema = buildSchema(one.a.replaceAll(/ @key\([^)]*\)/g, ''));
      for (const line of planOver(one)(document)) {
        const errors = validate(schema, parse(line.slice(line.indexOf('{'))), [OverlappingFieldsCanBeMergedRule]);
        expect({ seed, errors: errors.map(({ message }) => message) }).toEqual({ seed, errors: [] });
      }
    }
  });
});
