import type { GraphQLSchema } from 'graphql';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { describeRoutes, type DescriptionSettings } from './describe-routes.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** What a REST interface is, version by version. */
export interface InterfaceDescription extends Pick<RouteTable, 'versions'> {
  /** @param basePath path below which another server has mounted the facade; empty at its root */
  describe(version: number, basePath: string): OpenApiDocument;
}

export interface TableDescriptionOptions {
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
