import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, visit } from 'graphql';
import { gql } from 'graphql-tag';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/**
 * Reads the SDL of a subgraph: its file in `schema/subgraphs`, and the files in `schema/directives` that define a directive that it uses.
 *
 * @throws Error when the file does not exist, GraphQLError when it cannot be parsed
 */
export function readSubgraphSdl(name: string, root: string = packageRoot): readonly DocumentNode[] {
  const own = parseFile(join(root, 'schema/subgraphs', `${name}.graphql`));
  const used = new Set<string>();
  visit(own, { Directive: ({ name }) => void used.add(name.value) });
  const directory = join(root, 'schema/directives');
  const shared = readdirSync(directory)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => parseFile(join(directory, file)));
  return [own, ...shared.filter((document) => definedDirectives(document).some((directive) => used.has(directive)))];
}

function parseFile(path: string): DocumentNode {
  return gql(readFileSync(path, 'utf8'));
}

function definedDirectives({ definitions }: DocumentNode): readonly string[] {
  return definitions.flatMap((definition) => (definition.kind === Kind.DIRECTIVE_DEFINITION ? [definition.name.value] : []));
}
