import type { GraphQLSchema } from 'graphql';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { compileRoutes } from '../compile/compile-routes.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { compileVersions } from '../compile/endpoint/versions.ts';
import { MappingInvalid } from '../compile/mapping-problems.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { describeRoutes, type DescriptionSettings } from './describe-routes.ts';
import { type OpenApiDocument, printDescription } from './openapi-document.ts';

/** What a REST interface is, version by version. */
export interface InterfaceDescription extends Pick<RouteTable, 'versions'> {
  /** @param basePath path below which another server has mounted the facade; empty at its root */
  describe(version: number, basePath: string): OpenApiDocument;
}

interface TableDescriptionOptions {
  /** The public schema that the table was compiled against. */
  readonly schema: GraphQLSchema;
  /** How callers may prove who they are: `WWW-Authenticate` of those who have not tried to. */
  readonly challenges: string;
  /** Documents of webhooks, told beside the routes. @defaultValue none */
  readonly webhooks?: readonly RestDocument[];
  readonly settings: DescriptionSettings;
  /** Whether `/health` is answered. @defaultValue false */
  readonly tellsHealth?: boolean;
}

export interface DocumentDescriptionOptions extends TableDescriptionOptions {
  readonly settings: DescriptionSettings & { readonly defaultVersion: number };
}

/** The description of what a table serves. */
export function describeTable(table: RouteTable, options: TableDescriptionOptions): InterfaceDescription {
  const { versions, routes, fragments, accessOf } = table;
  const source = {
    ...options,
    routes,
    fragments,
    needsCredentials: (route: (typeof routes)[number]) => route.needsCredentials || accessOf(route)?.(ANONYMOUS) !== undefined,
  };
  return {
    versions,
    describe: (version, basePath) => describeRoutes(source, { version, isDefault: version === versions.default, basePath }),
  };
}

/**
 * What documents describe of themselves, without a gateway that serves them: YAML by version. Who needs credentials is told as
 * far as the documents say it.
 *
 * @throws MappingInvalid with every mistake in the documents
 */
export function describeDocuments(documents: readonly RestDocument[], options: DocumentDescriptionOptions): ReadonlyMap<number, string> {
  const { routes, fragments, problems } = compileRoutes(documents, options.schema);
  if (problems.length > 0) throw new MappingInvalid(problems);
  const versions = compileVersions(routes, options.settings.defaultVersion);
  const source = { ...options, routes, fragments, needsCredentials: ({ needsCredentials }: (typeof routes)[number]) => needsCredentials };
  return new Map(
    versions.all.map((version) => {
      const document = describeRoutes(source, { version, isDefault: version === versions.default, basePath: '' });
      return [version, printDescription(document, 'yaml')];
    }),
  );
}
