import { type DocumentNode, type GraphQLSchema, Kind, parse, print, validate, visit } from 'graphql';
import type { RandomRequest } from './build-random-federation.ts';
import type { SubgraphText } from './read-facts.ts';
import { OPERATION_NODES, pruneOperation, unwrap, usesOfVariables, without } from './reduce-document.ts';
import { type CaseResult, type Graph, runRequest, toGraph } from './run-case.ts';

/** A complete case: everything that is needed to run it elsewhere. */
export interface FullCase {
  readonly graph: Graph;
  readonly result: CaseResult;
}

interface Shrinking {
  readonly seed: number;
  readonly difference: string;
  readonly endsAt: number;
}

const SUBGRAPH_PARTS: readonly string[] = [
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.FIELD_DEFINITION,
  Kind.INPUT_VALUE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.DIRECTIVE,
  Kind.NAMED_TYPE,
];

/** Removes everything that can be removed while the class of the difference stays the same, within the given time. */
export async function shrink(found: FullCase, seed: number, budgetMs: number): Promise<FullCase> {
  const { classification } = found.result;
  if (classification.kind === 'right') return found;
  const shrinking = { seed, difference: classification.class, endsAt: Date.now() + budgetMs };
  let best = await shrinkOperation(found, shrinking);
  best = await shrinkSubgraphs(best, shrinking);
  return shrinkOperation(best, shrinking);
}

async function shrinkOperation(found: FullCase, shrinking: Shrinking): Promise<FullCase> {
  let best = found;
  for (let index = 0; Date.now() < shrinking.endsAt; ) {
    const flatter = unwrap(parse(best.result.request.text, { noLocation: true }), index);
    if (flatter === undefined) break;
    const request = prune(flatter, best.result.request, best.graph.federation.monolith);
    const result = request && (await runRequest(best.graph, request));
    if (result !== undefined && isSame(result, shrinking)) best = { graph: best.graph, result };
    else index += 1;
  }
  for (let index = 0; Date.now() < shrinking.endsAt; ) {
    const document = parse(best.result.request.text, { noLocation: true });
    const smaller = without(document, OPERATION_NODES, index);
    if (smaller === undefined) break;
    const request = prune(smaller, best.result.request, best.graph.federation.monolith);
    const result = request && (await runRequest(best.graph, request));
    if (result !== undefined && isSame(result, shrinking)) best = { graph: best.graph, result };
    else index += 1;
  }
  return best;
}

async function shrinkSubgraphs(found: FullCase, shrinking: Shrinking): Promise<FullCase> {
  let best = found;
  for (const { name } of found.graph.federation.subgraphs) {
    const fewer = best.graph.federation.subgraphs.filter((subgraph) => subgraph.name !== name);
    best = (await tryGraph(best, fewer, shrinking)) ?? best;
  }
  best = await shrinkEverywhere(best, shrinking);
  for (const { name } of best.graph.federation.subgraphs) {
    for (let index = 0; Date.now() < shrinking.endsAt; ) {
      const { subgraphs } = best.graph.federation;
      const smaller = without(
        parse(subgraphs.find((subgraph) => subgraph.name === name)?.sdl ?? '', { noLocation: true }),
        SUBGRAPH_PARTS,
        index,
      );
      if (smaller === undefined) break;
      const changed = subgraphs.map((subgraph) => (subgraph.name === name ? { name, sdl: print(smaller) } : subgraph));
      const next = await tryGraph(best, changed, shrinking);
      if (next === undefined) index += 1;
      else best = next;
    }
  }
  return best;
}

/** Removes types, and fields of types, from all subgraphs at once. */
async function shrinkEverywhere(found: FullCase, shrinking: Shrinking): Promise<FullCase> {
  let best = found;
  const definitions = found.graph.federation.subgraphs.flatMap(({ sdl }) => parse(sdl, { noLocation: true }).definitions);
  const types = new Map<string, Set<string>>();
  for (const definition of definitions) {
    if (!('name' in definition) || definition.name === undefined) continue;
    const fields = 'fields' in definition ? (definition.fields ?? []) : [];
    const known = types.get(definition.name.value) ?? new Set();
    types.set(definition.name.value, known);
    for (const { name } of fields) known.add(name.value);
  }
  const attempts = [...types.keys()].map((type) => ({ type, field: '' }));
  for (const [type, fields] of types) for (const field of fields) attempts.push({ type, field });
  for (const attempt of attempts) {
    if (Date.now() > shrinking.endsAt) break;
    const { subgraphs } = best.graph.federation;
    const changed = subgraphs.map(({ name, sdl }) => ({ name, sdl: withoutEverywhere(sdl, attempt) }));
    if (changed.every(({ sdl }, index) => sdl === subgraphs[index]?.sdl)) continue;
    best = (await tryGraph(best, changed, shrinking)) ?? best;
  }
  return best;
}

/** Returns the SDL without a field, or without a type, the fields that lead to it, and its membership in unions. */
function withoutEverywhere(sdl: string, { type, field }: { readonly type: string; readonly field: string }): string {
  const smaller: DocumentNode = visit(parse(sdl, { noLocation: true }), {
    ObjectTypeDefinition: {
      enter: (node) => (field === '' && node.name.value === type ? null : undefined),
      leave: (node) =>
        field !== '' && node.name.value === type ? { ...node, fields: node.fields?.filter(({ name }) => name.value !== field) } : undefined,
    },
    InterfaceTypeDefinition: {
      enter: (node) => (field === '' && node.name.value === type ? null : undefined),
      leave: (node) =>
        field !== '' && node.name.value === type ? { ...node, fields: node.fields?.filter(({ name }) => name.value !== field) } : undefined,
    },
    UnionTypeDefinition: (node) => {
      if (field !== '') return undefined;
      return node.name.value === type ? null : { ...node, types: node.types?.filter(({ name }) => name.value !== type) };
    },
    FieldDefinition: (node) => (field === '' && new RegExp(`^[[]*${type}\\b`).test(print(node.type)) ? null : undefined),
  });
  return print(smaller);
}

async function tryGraph(best: FullCase, subgraphs: readonly SubgraphText[], shrinking: Shrinking): Promise<FullCase | undefined> {
  try {
    const federation = best.graph.rebuild(subgraphs, shrinking.seed);
    if ('reasons' in federation) return undefined;
    const { request } = best.result;
    if (validate(federation.monolith, parse(request.text)).length > 0) return undefined;
    const graph = toGraph(federation, best.graph.planning, best.graph.rebuild);
    const result = await runRequest(graph, request);
    return isSame(result, shrinking) ? { graph, result } : undefined;
  } catch {
    // A graph that the removal makes invalid shows nothing.
    return undefined;
  }
}

function isSame({ classification }: CaseResult, { difference }: Shrinking): boolean {
  return classification.kind === 'wrong' && classification.class === difference;
}

/** Returns the request without unused fragments and variables, or undefined when the rest is not valid. */
function prune(document: DocumentNode, request: RandomRequest, schema: GraphQLSchema): RandomRequest | undefined {
  const text = pruneOperation(document, schema);
  if (text === undefined) return undefined;
  const used = usesOfVariables(text);
  return { ...request, text, variables: Object.fromEntries(Object.entries(request.variables).filter(([name]) => used.has(name))) };
}
