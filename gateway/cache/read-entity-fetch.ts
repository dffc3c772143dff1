import { type ASTNode, type FieldNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { EntityPolicyOf, OperationCachePolicy } from './compile-cache-policy.ts';

/** What a request asks about entities of which each may be kept. */
export interface EntityFetch {
  readonly fields: readonly EntityFetchField[];
  /** Whether the request asks for anything else. */
  readonly asksForMore: boolean;
}

/** One `_entities` field of a request. */
export interface EntityFetchField {
  readonly responseKey: string;
  /** Name of the variable that has the representations. */
  readonly representations: string;
  /** Names of the other variables that its answer depends on. */
  readonly variables: readonly string[];
  /** What it selects; equal for fields that are answered alike. */
  readonly text: string;
  readonly policy: OperationCachePolicy;
}

/** @param body of a request to a subgraph. @returns undefined when there is nothing in it that may be kept */
export type ReadEntityFetch = (body: string) => EntityFetch | undefined;

/** Texts of requests that are remembered with what they ask for. */
const MAX_TEXTS = 2_000;
/** What these texts retain, with what was read from them. @unit bytes */
const MAX_BYTES = 8_000_000;
/** Text of the key and of the fields, and their policies. @unit bytes per character */
const BYTES_PER_CHARACTER = 8;
/** Beside the text. @unit bytes */
const BYTES_PER_ENTRY = 1_000;

const BEGIN = '{"query":"';
/** Cannot stand within the text of the query: there every quotation mark has a backslash before it. */
const END = '","variables":';

const NOTHING: EntityFetch = { fields: [], asksForMore: true };

/** Reads what requests ask for; each text once. */
export function createEntityFetchReader(policyOf: EntityPolicyOf): ReadEntityFetch {
  const known = new LRUCache<string, EntityFetch>({
    max: MAX_TEXTS,
    maxSize: MAX_BYTES,
    sizeCalculation: (_fetch, text) => BYTES_PER_ENTRY + BYTES_PER_CHARACTER * text.length,
  });

  return (body) => {
    const end = body.indexOf(END);
    if (end === -1 || !body.startsWith(BEGIN)) return undefined;
    const text = body.slice(BEGIN.length, end);
    let fetch = known.get(text);
    if (fetch === undefined) {
      fetch = text.includes('_entities') ? readFetch(JSON.parse(`"${text}"`) as string, policyOf) : NOTHING;
      // A part of a text retains the whole text in V8, here a body with all its representations: the key is a copy.
      known.set(Buffer.from(text).toString(), fetch);
    }
    return fetch.fields.length === 0 ? undefined : fetch;
  };
}

function readFetch(query: string, policyOf: EntityPolicyOf): EntityFetch {
  const document = parse(query, { noLocation: true });
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return NOTHING;
  const { selections } = operation.selectionSet;
  const fields = selections.map((selection) => (selection.kind === Kind.FIELD ? readField(selection, operation, policyOf) : undefined));
  const kept = fields.filter((field) => field !== undefined);
  return { fields: kept, asksForMore: kept.length < selections.length };
}

function readField(field: FieldNode, operation: OperationDefinitionNode, policyOf: EntityPolicyOf): EntityFetchField | undefined {
  const { name, alias, arguments: given = [], selectionSet } = field;
  const [representations] = given.map(({ value }) => (value.kind === Kind.VARIABLE ? value.name.value : undefined));
  if (name.value !== '_entities' || representations === undefined || selectionSet === undefined) return undefined;
  const policy = policyOf(selectionSet);
  if (policy === undefined) return undefined;
  // A subgraph may answer each directive of the operation by another value.
  const { directives = [] } = operation;
  const used = variablesIn([selectionSet, ...directives]);
  return {
    responseKey: alias?.value ?? name.value,
    representations,
    variables: used,
    text: [declarationsOf(used, operation), ...directives.map(print), print(selectionSet)].join('\n'),
    policy,
  };
}

function variablesIn(nodes: readonly ASTNode[]): readonly string[] {
  const names = new Set<string>();
  for (const node of nodes) visit(node, { Variable: ({ name }) => void names.add(name.value) });
  return [...names].sort();
}

/** With their defaults, by which answers differ too. */
function declarationsOf(names: readonly string[], { variableDefinitions = [] }: OperationDefinitionNode): string {
  return variableDefinitions
    .filter(({ variable }) => names.includes(variable.name.value))
    .map((definition) => print(definition))
    .join();
}
