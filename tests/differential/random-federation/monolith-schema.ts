import { type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import type { SubgraphFacts } from './read-facts.ts';
import { isNode } from './subgraph-schema.ts';
import type { Run, World } from './world.ts';
import type { WorldNode, WorldValue } from './world-values.ts';

/** An object with the objects around it, where the contexts are. */
interface MonolithObject {
  readonly __typename: string;
  readonly node: WorldNode;
  readonly parent: MonolithObject | undefined;
}

/** Lets the public schema speak of the world, as if there were no subgraphs: what clients should not be able to tell apart. */
export function resolveFromWorld(schema: GraphQLSchema, world: World, subgraphs: readonly SubgraphFacts[]): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = (value: unknown) => (value as MonolithObject).__typename;
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const known = world.fields.find(type.name, field.name);
      if (known === undefined) throw new Error(`Nobody resolves ${type.name}.${field.name}.`);
      field.resolve = (source: unknown, args: Readonly<Record<string, unknown>>, context: unknown) => {
        const { run } = context as { run: Run };
        const parent = source as MonolithObject | undefined;
        const node: WorldNode = parent?.node ?? { type: type.name, id: '' };
        if (node.type === 'Mutation') run.mutations += 1;
        const required = known.requires && world.inputsOf(node, known.requires, run);
        const all = { ...args };
        for (const [name, { context: from, selection }] of known.contextArguments) {
          const around = findAround(subgraphs, parent?.parent, from);
          all[name] = around === undefined ? null : Object.values(world.inputsOf(around, selection, run))[0];
        }
        return toMonolith(world.valueOf(node, known, { args: all, required }, run), parent);
      };
    }
  }
}

/** The nearest object around that gives a context. */
function findAround(subgraphs: readonly SubgraphFacts[], from: MonolithObject | undefined, context: string): WorldNode | undefined {
  const isGiving = (name: string): boolean => subgraphs.some(({ types }) => types.get(name)?.contexts.includes(context) === true);
  for (let object = from; object !== undefined; object = object.parent) if (isGiving(object.node.type)) return object.node;
  return undefined;
}

function toMonolith(value: WorldValue, parent: MonolithObject | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: WorldValue) => toMonolith(item, parent));
  return isNode(value) ? ({ __typename: value.type, node: value, parent } satisfies MonolithObject) : value;
}
