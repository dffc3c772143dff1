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

/** Resolver types of every reference subgraph, from its SDL. */
export async function generateResolverTypes(root: string = packageRoot): Promise<readonly GeneratedFile[]> {
  const { subgraphs } = await readComposition(join(root, 'schema/composition.yaml'));
  return Promise.all(
    subgraphs.map(async ({ name, files }) => {
      const path = join(root, 'subgraphs', name, 'generated/resolver-types.ts');
      const mappers = await readParentTypes(join(root, 'subgraphs', name, 'parents.ts'));
      return { path, text: HEADER + (await resolverTypesOf(files.map((file) => file.text).join('\n'), path, mappers)) };
    }),
  );
}

/**
 * What resolvers get as their parent: `export interface OrderParent` (or `type`) in the subgraph's `parents.ts` stands
 * for the GraphQL type `Order`. A type without one is whatever part of itself its resolver returns.
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

const KEPT_DIRECTIVES = new Set(['key', 'external', 'requires', 'provides', 'deprecated']);

const FEDERATION_DIRECTIVES = parse(`
  directive @key(fields: String!, resolvable: Boolean) repeatable on OBJECT | INTERFACE
  directive @external on FIELD_DEFINITION
  directive @requires(fields: String!) on FIELD_DEFINITION
  directive @provides(fields: String!) on FIELD_DEFINITION
`);

/** The subgraph's own types: resolvers are written for them alone, the rest is answered by `@apollo/subgraph`. */
function withoutFederationMachinery(document: DocumentNode): DocumentNode {
  const own = visit(document, {
    SchemaExtension: () => null,
    DirectiveDefinition: () => null,
    Directive: (node) => (KEPT_DIRECTIVES.has(node.name.value) ? undefined : null),
  });
  return concatAST([FEDERATION_DIRECTIVES, own]);
}
