import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptPlugin from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, buildASTSchema, concatAST, parse, visit } from 'graphql';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { readComposition } from '../read-composition.ts';
import type { GeneratedFile } from './generated-file.ts';

const HEADER = '// Generated from the SDL by `npm run generate`; edits are lost.\n';

/** Generates the resolver types of every reference subgraph with a server from its SDL. A subgraph without a URL has connectors instead. */
export async function generateResolverTypes(root: string = packageRoot): Promise<readonly GeneratedFile[]> {
  const { subgraphs } = await readComposition(join(root, 'schema/composition.yaml'));
  const served = subgraphs.filter(({ url }) => url !== '');
  return Promise.all(
    served.map(async ({ name, files }) => {
      const path = join(root, 'subgraphs', name, 'generated/resolver-types.ts');
      const mappers = await readParentTypes(join(root, 'subgraphs', name, 'parents.ts'));
      return { path, text: HEADER + (await resolverTypesOf(files.map((file) => file.text).join('\n'), path, mappers)) };
    }),
  );
}

/**
 * Reads the parent types of resolvers: `export interface OrderParent` (or `type`) in the `parents.ts` of a subgraph is the parent of the
 * GraphQL type `Order`. A type without one has a partial version of itself as parent.
 */
async function readParentTypes(path: string): Promise<Record<string, string>> {
  const source = await readFile(path, 'utf8').catch(() => '');
  const names = [...source.matchAll(/^export (?:interface|type) (\w+)Parent\b/gm)].flatMap(([, name]) => name ?? []);
  return Object.fromEntries(names.map((name) => [name, `../parents.ts#${name}Parent`]));
}

async function resolverTypesOf(sdl: string, filename: string, mappers: Record<string, string>): Promise<string> {
  const schema = withoutFederationMachinery(parse(sdl));
  return codegen({
    schema,
    schemaAst: buildASTSchema(schema),
    documents: [],
    filename,
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript: typescriptPlugin, resolvers: resolversPlugin },
    config: {
      federation: true,
      useTypeImports: true,
      enumsAsTypes: true,
      immutableTypes: true,
      defaultScalarType: 'unknown',
      contextType: '../../kit/request-context.ts#RequestContext',
      scalars: { ID: 'string', DateTime: 'Date' },
      mappers,
      defaultMapper: 'Partial<{T}>',
    },
  });
}

const RETAINED_DIRECTIVES = new Set(['key', 'external', 'requires', 'provides', 'deprecated']);

const FEDERATION_DIRECTIVES = parse(`
  directive @key(fields: String!, resolvable: Boolean) repeatable on OBJECT | INTERFACE
  directive @external on FIELD_DEFINITION
  directive @requires(fields: String!) on FIELD_DEFINITION
  directive @provides(fields: String!) on FIELD_DEFINITION
`);

/**
 * Removes the federation machinery from the SDL. Resolvers are written only for the types of the subgraph; `@apollo/subgraph` resolves the
 * rest.
 */
function withoutFederationMachinery(document: DocumentNode): DocumentNode {
  const own = visit(document, {
    SchemaExtension: () => null,
    DirectiveDefinition: () => null,
    Directive: (node) => (RETAINED_DIRECTIVES.has(node.name.value) ? undefined : null),
  });
  return concatAST([FEDERATION_DIRECTIVES, own]);
}
