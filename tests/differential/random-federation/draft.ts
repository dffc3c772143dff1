import type { Random } from '../../support/random/random.ts';
import type { SubgraphText } from './read-facts.ts';

/** A drafted field. */
export interface DraftField {
  readonly name: string;
  readonly type: string;
  /** Text from parenthesis to parenthesis, or empty. */
  readonly args: string;
  readonly directives: readonly string[];
}

/** A drafted type of one subgraph. */
export interface DraftType {
  readonly name: string;
  readonly kind: 'type' | 'interface';
  readonly keys: { readonly fields: string; isResolvable: boolean }[];
  readonly interfaces: Set<string>;
  readonly directives: Set<string>;
  readonly fields: Map<string, DraftField>;
}

/** A drafted subgraph. */
export interface DraftSubgraph {
  readonly name: string;
  readonly types: Map<string, DraftType>;
  readonly unions: Map<string, Set<string>>;
  readonly unionDirectives: Map<string, string>;
  /** Types that the subgraph must not have, because it declares them as one interface object only. */
  readonly forbidden: Set<string>;
}

export interface DraftKey {
  /** Text of the `@key` argument. */
  readonly text: string;
  readonly fields: readonly DraftField[];
  /** Reference to another entity, and the key of that entity, which this key contains. */
  readonly through?: { readonly entity: string; readonly key: DraftKey };
}

/** Blueprint of an entity in the subgraphs. */
export interface DraftEntity {
  readonly kind: 'entity';
  readonly name: string;
  /** The subgraph that has all keys, so that every subgraph can be reached from every other one. */
  readonly home: DraftSubgraph;
  /** Keys. The first is the usual one. */
  readonly keys: readonly DraftKey[];
}

export interface DraftValue {
  readonly kind: 'value';
  readonly name: string;
  readonly fields: readonly DraftField[];
}

export interface DraftInterface {
  readonly kind: 'interface';
  readonly name: string;
  /** Another interface that this one implements, whose fields it has all. */
  readonly parent?: string;
  readonly implementers: readonly string[];
  readonly fields: readonly DraftField[];
}

export interface DraftUnion {
  readonly kind: 'union';
  readonly name: string;
  readonly members: readonly string[];
}

export type Blueprint = DraftEntity | DraftValue | DraftInterface | DraftUnion;

/** State of the draft of all subgraphs. */
export interface Draft {
  readonly random: Random;
  readonly subgraphs: readonly DraftSubgraph[];
  readonly blueprints: Map<string, Blueprint>;
}

export const LEAVES = ['Int', 'Float', 'String', 'Boolean', 'ID', 'Color', 'Mood', 'JSON'] as const;

/** Definitions that any subgraph may need. Only the referenced ones are written. */
const SHARED_DEFINITIONS: Readonly<Record<string, (subgraph: string) => string>> = {
  Color: () => 'enum Color { RED GREEN BLUE HIDDEN @inaccessible }',
  // Each subgraph may have its own values of an enum that is only used in output.
  Mood: (subgraph) => `enum Mood { CALM GLAD IN_${subgraph.toUpperCase()} }`,
  // The graph has the values that all subgraphs have, for an enum that is only used in input.
  Size: (subgraph) => (subgraph === 'a' ? 'enum Size { S M L }' : `enum Size { ONLY_${subgraph.toUpperCase()} M S }`),
  JSON: () => 'scalar JSON',
  // The graph has the fields of an input type that all subgraphs have.
  Filter: (subgraph) => {
    const extra = subgraph === 'b' || subgraph === 'd' ? ` extra: Int` : '';
    // If one subgraph requires an argument, the graph requires it.
    const number = subgraph === 'c' ? 'Int! = 1' : 'Int = 1';
    return `input Filter { a: ${number} b: [String!] color: Color = RED size: Size not: Filter many: [Filter]${extra} }`;
  },
};

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: [
  "@key", "@shareable", "@provides", "@external", "@requires", "@interfaceObject", "@inaccessible", "@override", "@context", "@fromContext"
])`;

/** Returns the type name inside of lists and non-nulls. */
export function baseOf(type: string): string {
  return type.replaceAll(/[[\]!]/g, '');
}

export function newType(name: string, kind: DraftType['kind'] = 'type'): DraftType {
  return { name, kind, keys: [], interfaces: new Set(), directives: new Set(), fields: new Map() };
}

export function field(name: string, type: string, args = '', directives: readonly string[] = []): DraftField {
  return { name, type, args, directives };
}

/** Adds a directive to a field, once. */
export function direct(type: DraftType, name: string, directive: string): void {
  const found = type.fields.get(name);
  if (found === undefined || found.directives.includes(directive)) return;
  type.fields.set(name, { ...found, directives: [...found.directives, directive] });
}

/** Lists the subgraphs that resolve a field. */
export function definersOf({ subgraphs }: Draft, type: string, name: string): readonly DraftSubgraph[] {
  return subgraphs.filter((subgraph) => {
    const found = subgraph.types.get(type)?.fields.get(name);
    return found !== undefined && !found.directives.includes('@external');
  });
}

/** Writes the SDL of each subgraph that is not empty. */
export function writeSubgraphs({ subgraphs }: Draft): readonly SubgraphText[] {
  return subgraphs.filter(({ types }) => types.size > 0).map((subgraph) => ({ name: subgraph.name, sdl: writeSubgraph(subgraph) }));
}

function writeSubgraph({ name: subgraph, types, unions, unionDirectives }: DraftSubgraph): string {
  const parts = [...types.values()].map(writeType);
  for (const [name, members] of unions) parts.push(`union ${name} ${unionDirectives.get(name) ?? ''} = ${[...members].join(' | ')}`);
  const body = parts.join('\n');
  const needed = new Set(Object.keys(SHARED_DEFINITIONS).filter((name) => new RegExp(`\\b${name}\\b`).test(body)));
  if (needed.has('Filter')) needed.add('Color').add('Size');
  return [LINK, body, ...[...needed].map((name) => SHARED_DEFINITIONS[name]?.(subgraph) ?? '')].join('\n');
}

function writeType({ name, kind, keys, interfaces, directives, fields }: DraftType): string {
  const written = [
    `${kind} ${name}`,
    ...(interfaces.size > 0 ? [`implements ${[...interfaces].join(' & ')}`] : []),
    ...keys.map((key) => `@key(fields: "${key.fields}"${key.isResolvable ? '' : ', resolvable: false'})`),
    ...directives,
  ];
  const lines = [...fields.values()].map(
    (found) => `  ${found.name}${found.args}: ${found.type}${found.directives.map((item) => ` ${item}`).join('')}`,
  );
  return `${written.join(' ')} {\n${lines.join('\n')}\n}`;
}
