import type { GraphQLSchema } from 'graphql';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { compileRoutes } from '../compile/compile-routes.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { compileVersions } from '../compile/endpoint/versions.ts';
import { MappingInvalid } from '../compile/mapping-problems.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { describeRoutes, type DescriptionSettings } from './describe-routes.ts';
import { type OpenApiDocument, printDescription } from './openapi-document.ts';

/** The description of a REST API, by version. */
export interface InterfaceDescription extends Pick<RouteTable, 'versions'> {
  readonly title: string;
  /**
   * Describes one version.
   *
   * @param basePath path under which another server has mounted the facade; empty at the root
   */
  describe(version: number, basePath: string): OpenApiDocument;
}

interface TableDescriptionOptions {
  /** The public schema that the table was compiled against. */
  readonly schema: GraphQLSchema;
  /** Value of `WWW-Authenticate` for callers without credentials. It names the accepted authentication schemes. */
  readonly challenges: string;
  /** Documents of webhooks that are described in addition to the routes. @defaultValue none */
  readonly webhooks?: readonly RestDocument[];
  readonly settings: DescriptionSettings;
  /** Whether `/health` is served. @defaultValue false */
  readonly describesHealth?: boolean;
}

export interface DocumentDescriptionOptions extends TableDescriptionOptions {
  readonly settings: DescriptionSettings & { readonly defaultVersion: number };
}

/** Describes the routes of a table. */
export function describeTable(table: RouteTable, options: TableDescriptionOptions): InterfaceDescription {
  const { versions, routes, fragments, accessOf } = table;
  const source = {
    ...options,
    routes,
    fragments,
    needsCredentials: (route: (typeof routes)[number]) => route.needsCredentials || accessOf(route)?.(ANONYMOUS) !== undefined,
  };
  return {
    title: options.settings.title,
    versions,
    describe: (version, basePath) => describeRoutes(source, { version, isDefault: version === versions.default, basePath }),
  };
}

/**
 * Describes documents without a running gateway: YAML by version. Only operations with `signedIn` are described as requiring credentials,
 * because permissions of the graph are not available.
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
