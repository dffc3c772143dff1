import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import type { Random } from '../../support/random/random.ts';

/** Fields that can be selected on a node. */
interface Chain {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  /** Names of the object types. */
  readonly types: readonly string[];
  aliases: number;
}

/**
 * Writes an operation that follows fields of the interface of `generateJointSubgraphs`, nested in one another, with aliases, arguments,
 * fragments on some types, conditions by the variable `$yes`, and other selections at some of the levels. Most operations are valid.
 *
 * @param moreLevels levels in addition to the two to four that a chain always has
 */
export function writeChain(schema: GraphQLSchema, random: Random, moreLevels: number): string {
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  const chain: Chain = { schema, random, types, aliases: 0 };
  const depth = 2 + random.below(3) + moreLevels;
  if (schema.getMutationType() !== null && schema.getMutationType() !== undefined && random.chance(0.15)) {
    return `mutation ($yes: Boolean = true) { make(first: 1) { ${writeNode(chain, depth)} } makeMany @include(if: $yes) { ${writeNode(chain, 1)} } }`;
  }
  const root = random.pick(['node', 'nodes', 'strict']);
  const selection = `${root} { ${writeNode(chain, depth)} }`;
  const isHeld = schema.getQueryType()?.getFields()['holder'] !== undefined;
  return `query ($yes: Boolean = true) { ${isHeld ? `${random.pick(['holder', 'holders'])} { ${selection} }` : selection} __typename @include(if: $yes) }`;
}

function writeNode(chain: Chain, depth: number): string {
  const { random } = chain;
  const parts = [...writeLeaves(chain), ...(depth > 0 ? writeInner(chain, depth) : [])];
  return parts.length === 0 ? random.pick(['id', '__typename']) : parts.join(' ');
}

function fieldsOf(schema: GraphQLSchema, type: string): readonly string[] {
  const found = schema.getType(type);
  return isInterfaceType(found) || isObjectType(found) ? Object.keys(found.getFields()) : [];
}

function writeLeaves({ schema, random, types }: Chain): readonly string[] {
  const common = new Set(fieldsOf(schema, 'Node'));
  const parts = ['__typename', 'id', 'label', 'tag', 'score'].filter(
    (name) => (common.has(name) || name.startsWith('__')) && random.chance(0.35),
  );
  for (const type of types) {
    const own = fieldsOf(schema, type).filter((name) => /^(?:rank|deep|echo)/.test(name));
    for (const name of own) if (random.chance(0.12)) parts.push(`... on ${type} { ${name} }`);
  }
  return parts;
}

function writeInner(chain: Chain, depth: number): readonly string[] {
  const { schema, random, types } = chain;
  const common = new Set(fieldsOf(schema, 'Node'));
  const parts = [writeStep(chain, depth, common)];
  const further = (most: number): string => writeNode(chain, Math.min(most, depth - 1));
  if (random.chance(0.25)) {
    parts.push(`... on ${random.pick(types)} { ${random.pick(['related', 'x: related', 'many(first: 1)'])} { ${further(1)} } }`);
  }
  if (common.has('via') && random.chance(0.2)) parts.push(`via { ${further(2)} }`);
  if (random.chance(0.15)) parts.push(`second: related { ${further(2)} }`);
  if (random.chance(0.1)) parts.push(`related @include(if: $yes) { ${further(1)} }`);
  if (random.chance(0.1)) parts.push(`related @skip(if: $yes) { ${further(1)} }`);
  return parts;
}

function writeStep(chain: Chain, depth: number, common: ReadonlySet<string>): string {
  const { random } = chain;
  const inner = writeNode(chain, depth - 1);
  const path = random.below(10);
  if (path < 2) return `many(first: ${random.below(3)}) { ${inner} }`;
  if (path < 3) {
    chain.aliases += 1;
    return `a${chain.aliases}: related { ${inner} }`;
  }
  if (path < 4 && common.has('any')) return `any { __typename ... on Node { ${inner} } }`;
  if (path < 5 && common.has('box')) return `box { size node { ${inner} } }`;
  return `related { ${inner} }`;
}
