import { type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import type { SubgraphFacts } from './read-facts.ts';
import { isNode } from './subgraph-schema.ts';
import type { Run, World } from './world.ts';
import type { WorldNode, WorldValue } from './world-values.ts';

/** An object with the ancestors that open contexts. */
interface MonolithObject {
  readonly __typename: string;
  readonly node: WorldNode;
  readonly parent: MonolithObject | undefined;
}

/**
 * Resolves the public schema from the world, as if there were no subgraphs. Clients must not be able to distinguish it from the federation.
 */
export function resolveFromWorld(schema: GraphQLSchema, world: World, subgraphs: readonly SubgraphFacts[]): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = (value: unknown) => (value as MonolithObject).__typename;
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const known = world.fields.find(type.name, field.name);
      if (known === undefined) throw new Error(`No subgraph resolves ${type.name}.${field.name}.`);
      field.resolve = (source: unknown, args: Readonly<Record<string, unknown>>, context: unknown) => {
        const { run } = context as { run: Run };
        const parent = source as MonolithObject | undefined;
        const self: MonolithObject = parent ?? { __typename: type.name, node: { type: type.name, id: '' }, parent: undefined };
        const { node } = self;
        if (node.type === 'Mutation') run.mutations += 1;
        const required = known.requires && world.inputsOf(node, known.requires, run);
        const all = { ...args };
        for (const [name, { context: from, selection }] of known.contextArguments) {
          const around = findAround(giversOf(from, world, subgraphs), self.parent);
          all[name] = around === undefined ? null : onlyLeaf(world.inputsOf(around, selection, run));
        }
        return toMonolith(world.valueOf(node, known, { args: all, required }, run), self);
      };
    }
  }
}

/** Returns the leaf value of a selection of one field. */
function onlyLeaf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyLeaf);
  return typeof value === 'object' && value !== null ? onlyLeaf(Object.values(value).at(-1)) : value;
}

/** Finds the nearest ancestor that opens a context. */
function findAround(givers: ReadonlySet<string>, from: MonolithObject | undefined): WorldNode | undefined {
  for (let object = from; object !== undefined; object = object.parent) if (givers.has(object.node.type)) return object.node;
  return undefined;
}

/** Lists object types that open a context, themselves or through an abstract type. */
function giversOf(context: string, { fields }: World, subgraphs: readonly SubgraphFacts[]): ReadonlySet<string> {
  const openers = subgraphs.flatMap(({ types }) => [...types.values()].filter(({ contexts }) => contexts.includes(context)));
  return new Set(openers.flatMap(({ name }) => fields.possibleTypes(name)));
}

function toMonolith(value: WorldValue, parent: MonolithObject | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: WorldValue) => toMonolith(item, parent));
  return isNode(value) ? ({ __typename: value.type, node: value, parent } satisfies MonolithObject) : value;
}
