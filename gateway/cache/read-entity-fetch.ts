import { type ASTNode, type FieldNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { EntityPolicyOf, OperationCachePolicy } from './compile-cache-policy.ts';

/** Entity fields of a subgraph request whose entities can be cached. */
export interface EntityFetch {
  readonly fields: readonly EntityFetchField[];
  /** Whether the request has other fields as well. */
  readonly requestsMore: boolean;
}

/** One `_entities` field of a request. */
export interface EntityFetchField {
  readonly responseKey: string;
  /** Name of the variable that contains the representations. */
  readonly representations: string;
  /** Names of the other variables that its response depends on. */
  readonly variables: readonly string[];
  /** Printed selection. Equal for fields with equal responses. */
  readonly text: string;
  readonly policy: OperationCachePolicy;
}

/** Reads the entity fields of a request. @param body body of a request to a subgraph @returns undefined when nothing can be cached */
export type ReadEntityFetch = (body: string) => EntityFetch | undefined;

/** Maximum number of request texts that are cached with their entity fields. */
const MAX_TEXTS = 2_000;
/** Maximum memory for these texts and the results. @unit bytes */
const MAX_BYTES = 8_000_000;
/** Size of the key, the printed fields and their policies. @unit bytes per character */
const BYTES_PER_CHARACTER = 8;
/** Size of an entry in addition to the text. @unit bytes */
const BYTES_PER_ENTRY = 1_000;

const BEGIN = '{"query":"';
/** This sequence cannot occur in the query string, because every quotation mark in it is escaped by a backslash. */
const END = '","variables":';

const NOTHING: EntityFetch = { fields: [], requestsMore: true };

/** Creates a reader that parses each request text once. */
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
      // A substring in V8 retains the whole string, here a body with all its representations. The key is therefore a copy.
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
  const stored = fields.filter((field) => field !== undefined);
  return { fields: stored, requestsMore: stored.length < selections.length };
}

function readField(field: FieldNode, operation: OperationDefinitionNode, policyOf: EntityPolicyOf): EntityFetchField | undefined {
  const { name, alias, arguments: given = [], selectionSet } = field;
  const [representations] = given.map(({ value }) => (value.kind === Kind.VARIABLE ? value.name.value : undefined));
  if (name.value !== '_entities' || representations === undefined || selectionSet === undefined) return undefined;
  const policy = policyOf(selectionSet);
  if (policy === undefined) return undefined;
  // A subgraph may return different data depending on the directives of the operation.
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

/** Prints variable definitions with their default values, which also affect the response. */
function declarationsOf(names: readonly string[], { variableDefinitions = [] }: OperationDefinitionNode): string {
  return variableDefinitions
    .filter(({ variable }) => names.includes(variable.name.value))
    .map((definition) => print(definition))
    .join();
}
