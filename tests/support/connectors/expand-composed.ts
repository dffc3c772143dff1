import { composeServices } from '@apollo/composition';
import { type ConstDirectiveNode, type DocumentNode, parse, print, visit } from 'graphql';
import { expandConnectors, type ExpandedSupergraph } from '../../../gateway/connectors/expand/expand-connectors.ts';
import { argumentsOf } from '../../../gateway/directives/directive-locations.ts';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { planWith, type TextPlanner } from '../planning/plan-text.ts';

const FEDERATION = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: [
  "@key" "@shareable" "@requires" "@external" "@override" "@interfaceObject" "@inaccessible" "@authenticated" "@cost" "@tag"
])
`;

const CONNECT = `extend schema @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect" "@source"])
`;

/** Composes subgraphs. Adds the link to federation, and the link to the connect specification where a text uses `@connect`. */
export function composeConnected(subgraphs: Readonly<Record<string, string>>): DocumentNode {
  const services = Object.entries(subgraphs).map(([name, sdl]) => {
    const typeDefs = parse(FEDERATION + (sdl.includes('@connect') ? CONNECT : '') + sdl);
    return { name, url: `http://${name}.test`, typeDefs };
  });
  const { supergraphSdl, errors } = composeServices(services, { runSatisfiability: false });
  if (supergraphSdl === undefined) throw new Error(`The subgraphs do not compose: ${String(errors)}`);
  return parse(supergraphSdl);
}

/** Expands the connectors of composed subgraphs. */
export function expandComposed(subgraphs: Readonly<Record<string, string>>): ExpandedSupergraph {
  const document = composeConnected(subgraphs);
  const expanded = expandConnectors(document);
  if (expanded === undefined) throw new Error('The supergraph has no connectors.');
  return expanded;
}

/** Composes subgraphs with connectors, and returns a planner over the virtual subgraphs. */
export function planConnected(subgraphs: Readonly<Record<string, string>>): TextPlanner {
  return planWith(createQueryPlanner(print(expandComposed(subgraphs).document)));
}

/**
 * Prints the join directives of an element, without `join__` and with the names of subgraphs:
 * `joined(expanded, 'Query.user')` returns `['field con:Query.user provides="__name"']`.
 */
export function joined({ document }: ExpandedSupergraph, coordinate: string): readonly string[] {
  const names = new Map<unknown, string>();
  const found: string[] = [];
  const [typeName, member] = coordinate.split('.');
  const add = (directives: readonly ConstDirectiveNode[] = []): void => {
    for (const directive of directives) if (directive.name.value.startsWith('join__')) found.push(printJoin(directive, names));
  };
  visit(document, {
    EnumTypeDefinition({ name, values = [] }) {
      if (name.value !== 'join__Graph') return;
      for (const value of values) names.set(value.name.value, String(argumentsOf(value.directives?.[0])['name']));
    },
  });
  for (const definition of document.definitions) {
    if (!('name' in definition) || definition.name?.value !== typeName || !('directives' in definition)) continue;
    if (member === undefined) add(definition.directives as readonly ConstDirectiveNode[]);
    const members = 'fields' in definition ? definition.fields : 'values' in definition ? definition.values : [];
    for (const one of members ?? []) if (one.name.value === member) add(one.directives);
  }
  return found.sort();
}

function printJoin(directive: ConstDirectiveNode, names: ReadonlyMap<unknown, string>): string {
  const { graph, graphs, ...others } = argumentsOf(directive);
  const of = (Array.isArray(graphs) ? graphs : [graph]).map((value) => names.get(value) ?? String(value));
  const rest = Object.entries(others).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${directive.name.value.slice('join__'.length)} ${of.join(',')}${rest.join('')}`;
}
