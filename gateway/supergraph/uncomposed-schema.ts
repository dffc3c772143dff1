import { basename, relative } from 'node:path';
import { type DocumentNode, isTypeSystemDefinitionNode, isTypeSystemExtensionNode } from 'graphql';
import { argumentsOf, directiveLocationsIn } from '../directives/directive-locations.ts';
import { FEDERATION } from './gateway-directives.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';

/** Directives of the first version of the federation specification, which subgraphs use without a link. */
const UNLINKED: ReadonlySet<string> = new Set(['key', 'external', 'requires', 'provides', 'extends']);

/**
 * Creates the error for a schema that is not a supergraph. The message names the kind of the schema (the SDL of a subgraph, or a plain
 * schema) and the entry with which it can be composed.
 *
 * @param file path of the schema, for messages. @defaultValue the message names no file
 */
export function uncomposedSchema(document: DocumentNode, file: string | undefined): SupergraphInvalid {
  const subject = file === undefined ? 'it' : relative(process.cwd(), file);
  const reason = 'It does not link the join specification';
  if (!document.definitions.some((node) => isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node))) {
    return invalid(`${subject} contains no schema.`, `${reason}. Set the path of a supergraph, which \`gatefold compose\` writes.`);
  }
  const evidence = evidenceOfSubgraph(document);
  const kind = evidence === undefined ? 'a plain GraphQL schema' : `the SDL of a subgraph (${evidence})`;
  const name = file === undefined ? 'products' : nameFrom(file);
  const entry = `${name}: { url: "http://localhost:5010/graphql", files: ["${file === undefined ? 'products.graphql' : subject}"] }`;
  return invalid(
    `${subject} is ${kind}, not a composed supergraph.`,
    `${reason}. Add the subgraph "${name}" with its URL to \`subgraphs\` of composition.yaml: ${entry}. ` +
      'Then run `gatefold compose --file composition.yaml` and serve the supergraph that it writes.',
  );
}

function invalid(issue: string, advice: string): SupergraphInvalid {
  return new SupergraphInvalid(`The supergraph cannot be served: ${issue} ${advice}`);
}

/** Returns the first sign of federation with its line. */
function evidenceOfSubgraph(document: DocumentNode): string | undefined {
  for (const { coordinate, node } of directiveLocationsIn(document)) {
    const { url } = argumentsOf(node);
    const isLink = coordinate === 'schema' && typeof url === 'string' && url.startsWith(`${FEDERATION}/`);
    if (!isLink && (coordinate === 'schema' || !UNLINKED.has(node.name.value))) continue;
    const line = node.loc === undefined ? '' : ` in line ${node.loc.startToken.line}`;
    return isLink ? `it links ${url}${line}` : `${coordinate} has @${node.name.value}${line}`;
  }
  return undefined;
}

/** Returns the file name up to its first dot, without characters that need quotes in YAML. */
function nameFrom(file: string): string {
  const [name = ''] = basename(file).split('.');
  return name.replace(/[^\w-]/g, '-') || 'products';
}
