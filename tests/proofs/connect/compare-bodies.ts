import { isDeepStrictEqual } from 'node:util';
import { Kind, parse, print } from 'graphql';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';

const TEXTUAL_IDS =
  'IDs in a body are numbers; the gateway sends strings, as which IDs enter the graph (GraphQL specification, section 3.5.5)';
const OTHER_DOCUMENT = 'a request to a GraphQL server selects the same with another document, which each planner writes for itself';

/**
 * Compares two bodies as JSON.
 *
 * @returns reasons for accepted differences; undefined if the bodies are different
 */
export function compareBodies(expected: unknown, found: unknown): readonly string[] | undefined {
  const reasons: string[] = [];
  const [one, other] = isGraphQL(expected) && isGraphQL(found) ? [rootsOf(expected), rootsOf(found)] : [expected, found];
  if (isGraphQL(expected) && isGraphQL(found) && layoutOf(expected.query) !== layoutOf(found.query)) reasons.push(OTHER_DOCUMENT);
  if (isDeepStrictEqual(one, other)) return reasons;
  return isDeepStrictEqual(withTexts(one), withTexts(other)) ? [...reasons, TEXTUAL_IDS] : undefined;
}

interface GraphQLBody {
  readonly query: string;
  readonly variables?: unknown;
}

function isGraphQL(body: unknown): body is GraphQLBody {
  return isRecord(body) && typeof body['query'] === 'string';
}

/** Reduces a request to its variables and the response keys of its root fields, with which a mocked response is found. */
function rootsOf({ query, variables = {} }: GraphQLBody): unknown {
  const operations = parse(query).definitions.flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [definition] : []));
  const roots = operations.flatMap(({ selectionSet }) =>
    selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? (node.alias ?? node.name).value : print(node))),
  );
  return { roots, variables };
}

function layoutOf(query: string): string {
  return print(parse(query));
}

/** Replaces numbers by their text. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(withTexts);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one)])) : value;
}
