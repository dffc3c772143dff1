import { type DocumentNode, Kind } from 'graphql';
import { runSteps } from '../platform/run-steps.ts';
import type { FederatedField, FederatedType, WholeGraph } from './federated-graph.ts';
import { type GraphOutline, readGraphOutline } from './graph-outline.ts';
import { parseSdlInSteps } from './parse-sdl.ts';
import { type CompositeDefinition, isCompositeDefinition } from './possible-types.ts';
import { createTypeReader, type TypeReader } from './read-federated-type.ts';

/**
 * Reads the join directives of a supergraph. The supergraph must have been checked before: missing data is ignored.
 *
 * @param sdl supergraph written by composition, with any version of the join specification
 * @throws GraphQLError when a field set in it does not parse
 */
export function readFederatedGraph(sdl: string | DocumentNode): WholeGraph {
  const document = typeof sdl === 'string' ? runSteps(parseSdlInSteps(sdl)) : sdl;
  return runSteps(readFederatedGraphInSteps(document, readGraphOutline(document)));
}

/** Reads the join directives like `readFederatedGraph`, in steps of at most one type or `FIELDS_IN_STEP` fields. */
export function* readFederatedGraphInSteps(document: DocumentNode, outline: GraphOutline): Generator<undefined, WholeGraph, undefined> {
  const reader = createTypeReader(outline, new Map());
  const types = new Map<string, FederatedType>();
  for (const definition of document.definitions) {
    if (!isCompositeDefinition(definition)) continue;
    types.set(definition.name.value, yield* readType(definition, reader));
    yield;
  }
  return {
    subgraphs: [...outline.subgraphs.values()],
    types,
    roots: outline.roots,
    numberedNames: numberedNamesOf(types),
    contextFields: contextFieldsOf(types),
  };
}

/** Maximum number of fields that are read in one step. A root type can have thousands. */
const FIELDS_IN_STEP = 64;

function* readType(definition: CompositeDefinition, reader: TypeReader): Generator<undefined, FederatedType, undefined> {
  const subgraphs = reader.readSubgraphs(definition);
  const fields = new Map<string, FederatedField>();
  const nodes = definition.kind === Kind.UNION_TYPE_DEFINITION ? [] : (definition.fields ?? []);
  for (const [index, node] of nodes.entries()) {
    fields.set(node.name.value, reader.readField(node, definition, subgraphs));
    if (index % FIELDS_IN_STEP === FIELDS_IN_STEP - 1) yield;
  }
  return reader.readType(definition, subgraphs, fields);
}

/** Matches the end of a generated name. */
const NUMBERED = /_\d+$/;

function numberedNamesOf(types: WholeGraph['types']): WholeGraph['numberedNames'] {
  const names = new Set<string>();
  for (const { fields } of types.values()) for (const name of fields.keys()) if (NUMBERED.test(name)) names.add(name);
  return names;
}

function contextFieldsOf(types: WholeGraph['types']): WholeGraph['contextFields'] {
  const requiring = new Set<string>();
  const taking = new Set<string>();
  for (const { fields } of types.values()) {
    for (const { name, subgraphs } of fields.values()) {
      for (const { requires, contextArguments } of subgraphs.values()) {
        if (requires !== undefined) requiring.add(name);
        if (contextArguments.length > 0) taking.add(name);
      }
    }
  }
  return taking.size === 0 ? taking : new Set([...taking, ...requiring]);
}
