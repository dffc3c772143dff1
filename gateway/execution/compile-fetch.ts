import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { OperationTypeNode } from 'graphql';
import { type ContextArguments, compileContext } from './context-arguments.ts';
import type { KeyRename } from './error-paths.ts';
import type { FlattenPath } from './flatten-path.ts';
import { type DataKey, toDataKey } from './own-properties.ts';
import type { SelectedField } from './fetch-selection.ts';
import type { MergeField } from './merge-entities.ts';
import { type RepresentationPrinter, compileRepresentations } from './representations.ts';
import { type PlannedFetch, canShareResults, mayMeetTwice } from './result-sharing.ts';
import { type Rewrite, compileRewrites } from './rewrites.ts';
import { freeVariableName } from './variable-names.ts';

/** A fetch node, made ready: what is the same in each request is printed, what is not is a list to loop over. */
export interface CompiledFetch {
  /** Its place among all fetches of the plan; errors are reported in this order. */
  readonly index: number;
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation';
  /** Where in the response the objects are that it fills. */
  readonly path: FlattenPath;
  /** JSON text of the request up to and including the brace that opens the variables. */
  readonly opening: string;
  readonly variables: readonly string[];
  /** Response keys of its selection on each object that it fills, as they stand after the rewrites. */
  readonly keys: readonly DataKey[];
  /** What is read from its answers, for each object that it fills. */
  readonly fields: readonly MergeField[];
  /** Whether the path may lead to one object in several places. */
  readonly mayMeetTwice: boolean;
  readonly outputRewrites: Rewrite | undefined;
  /** From the planner's aliases to the client's response keys. */
  readonly keyRenames: readonly KeyRename[];
  /** Present in entity fetches. */
  readonly entities: EntityFetch | undefined;
}

/** What only fetches by representations have. */
export interface EntityFetch {
  readonly print: RepresentationPrinter;
  /** What the representations are made from. */
  readonly requires: readonly QueryPlanSelectionNode[];
  /** JSON text of the key of the variable that takes the representations. */
  readonly variable: string;
  /** Whether an answer's inner objects may stand in several places of the response at once. */
  readonly isShared: boolean;
  /** Present when arguments come from objects further out. */
  readonly context: ContextArguments | undefined;
}

/** A fetch node with its place in the plan. */
export interface FetchSource extends PlannedFetch {
  readonly index: number;
}

/** What the fetches of a plan have to do with each other. */
export interface FetchRelations {
  /** Those whose answers may stand in several places at once. */
  readonly sharing: readonly FetchSource[];
  /** Response keys that a condition can leave out of any answer. */
  readonly conditionalKeys: ReadonlySet<string>;
}

/** Finds out what the fetches of a plan have to do with each other. */
export function relateFetches(all: readonly FetchSource[]): FetchRelations {
  return {
    sharing: all.filter((fetch) => fetch.node.requires !== undefined && canShareResults(fetch, all)),
    conditionalKeys: new Set(all.flatMap(({ selection }) => [...selection.conditionalKeys])),
  };
}

/**
 * Compiles one fetch node.
 *
 * @param relations what it has to do with the other fetches of the plan
 */
export function compileFetch(schema: Schema, { node, path, index, selection }: FetchSource, relations: FetchRelations): CompiledFetch {
  const isEntityFetch = node.requires !== undefined;
  const context = compileContext(schema, node.contextRewrites);
  const variables = (node.variableUsages ?? []).filter((name) => context?.variables.has(name) !== true);
  const { text, variable } = freeVariableName(node.operation, isEntityFetch ? variables : []);
  const operationName = node.operationName === undefined ? '' : `"operationName":${JSON.stringify(node.operationName)},`;
  const { sharing, conditionalKeys } = relations;
  return {
    index,
    subgraph: node.serviceName,
    kind: node.operationKind === OperationTypeNode.MUTATION ? 'mutation' : 'query',
    path,
    opening: `{"query":${JSON.stringify(text)},${operationName}"variables":{`,
    variables,
    keys: selection.keys.map(toDataKey),
    fields: selection.fields.map((field) => compileField(field, (name) => schema.type(name)?.kind === 'InterfaceType')),
    mayMeetTwice: mayMeetTwice(path, sharing),
    outputRewrites: compileRewrites(schema, node.outputRewrites),
    keyRenames: selection.renames,
    entities: node.requires && {
      print: compileRepresentations({ schema, requires: node.requires, inputRewrites: node.inputRewrites, conditionalKeys }),
      requires: node.requires,
      variable: `${JSON.stringify(variable)}:[`,
      context,
      isShared: sharing.some((other) => other.node === node),
    },
  };
}

function compileField({ key, fields }: SelectedField, isInterface: (typename: string) => boolean): MergeField {
  const dataKey = toDataKey(key);
  if (key === '__typename') return { key: dataKey, saysLess: (name) => typeof name === 'string' && isInterface(name) };
  return fields === undefined ? { key: dataKey } : { key: dataKey, fields: fields.map((field) => compileField(field, isInterface)) };
}
