import type { GraphQLSchema } from 'graphql';
import { VERSION_PARAMETER } from '../compile/bindings/bindings.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import type { Fragments } from '../compile/documents/selections.ts';
import { printTemplate } from '../compile/endpoint/path-template.ts';
import { routesIn } from '../compile/endpoint/versions.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { FieldLimits } from '../request/parameters/field-selection.ts';
import { vendorType } from '../request/negotiation/content-negotiation.ts';
import type { PageLimits } from '../request/parameters/page-request.ts';
import { declaredResult } from './declared-result.ts';
import { RESPONSE_HEADERS } from './describe-headers.ts';
import { HEALTH_PATH, HEALTH_TAG } from './describe-health.ts';
import { describeOperation, type OperationContext, securitySchemes } from './describe-operation.ts';
import { pageParameters } from './describe-parameters.ts';
import { EMPTY_RESPONSES } from './describe-responses.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { errorResponses } from './error-responses.ts';
import { HEADER_PARAMETERS } from './header-parameters.ts';
import type { OpenApiDocument, OperationObject, Parameter, PathItem, Server } from './openapi-document.ts';
import { createComponents } from './schemas/components.ts';
import { representationsOf } from './schemas/representations.ts';

/** The input of a description. */
export interface DescriptionSource {
  readonly routes: readonly RestRoute[];
  readonly fragments: Fragments;
  /** The public schema. */
  readonly schema: GraphQLSchema;
  /** Value of `WWW-Authenticate` for callers without credentials. It names the accepted authentication schemes. */
  readonly challenges: string;
  /** Whether callers without credentials are rejected for every request. */
  readonly needsCredentials: (route: RestRoute) => boolean;
  /** Documents of webhooks that are described in addition to the routes. @defaultValue none */
  readonly webhooks?: readonly RestDocument[];
  readonly settings: DescriptionSettings;
  /** Whether `/health` is served. @defaultValue false */
  readonly describesHealth?: boolean;
}

/** Settings that appear in a description. */
export interface DescriptionSettings extends PageLimits, FieldLimits {
  readonly title: string;
  readonly mounts: readonly string[];
  readonly mediaTypeVendor: string;
}

/** The described version and its addresses. */
export interface DescribedVersion {
  readonly version: number;
  /** Whether requests that do not name a version get this one. */
  readonly isDefault: boolean;
  /** Path under which another server has mounted the facade. Empty at the root. */
  readonly basePath: string;
}

/** Describes the routes of a version as an OpenAPI 3.1 document. The result depends only on the arguments and is deterministic. */
export function describeRoutes(
  { routes: all, settings, challenges, webhooks = [], describesHealth = false, ...source }: DescriptionSource,
  described: DescribedVersion,
): OpenApiDocument {
  const { version } = described;
  const routes = routesIn(all, version);
  const components = createComponents();
  const schemes = securitySchemes(challenges);
  const representations = representationsOf(settings.mediaTypeVendor);
  const bodies = { version, vendor: settings.mediaTypeVendor };
  const paths = describePaths(routes, { ...source, components, representations, bodies, limits: settings, securitySchemes: schemes });
  const responses = errorResponses(representations, components);
  const events = describeWebhooks(webhooks, version, { schema: source.schema, components });
  const hasEvents = Object.keys(events).length > 0;
  return retainUsed({
    openapi: '3.1.1',
    info: { title: settings.title, version: String(version), description: conventions(settings.mediaTypeVendor, version) },
    servers: describeServers(settings.mounts, described),
    tags: [...describeTags(routes, source.schema), ...(hasEvents ? [EVENTS] : []), ...(describesHealth ? [HEALTH_TAG] : [])],
    paths: { ...(describesHealth ? HEALTH_PATH : {}), ...paths },
    ...(hasEvents ? { webhooks: events } : {}),
    components: {
      schemas: components.all(),
      parameters: { ...HEADER_PARAMETERS, ...pageParameters(settings), Version: versionParameter(version) },
      headers: RESPONSE_HEADERS,
      responses: { ...EMPTY_RESPONSES, ...responses },
      securitySchemes: schemes,
    },
  });
}

const EVENTS = { name: 'Event', description: 'Events that are sent to the addresses of webhooks.' };

/** Lists the base URLs. Every URL of a version other than the default one contains the version. */
function describeServers(mounts: readonly string[], { version, isDefault, basePath }: DescribedVersion): readonly Server[] {
  const roots = [...(isDefault ? mounts : []), ...mounts.map((mount) => `${mount}/v${version}`)];
  return roots.map((root) => ({ url: basePath + root === '' ? '/' : basePath + root, description: 'Serves every resource.' }));
}

function versionParameter(version: number): Parameter {
  return {
    name: VERSION_PARAMETER,
    in: 'query',
    description: 'Selects the version if the path does not name one. If both name a version, they must agree.',
    schema: { type: 'integer', enum: [version] },
  };
}

/** Returns the rules for every path, for which OpenAPI has no field or which would be repeated for each response. */
function conventions(vendor: string, version: number): string {
  return [
    'Every path that supports GET also supports HEAD. Every path responds to OPTIONS with `Allow`, and to unsupported methods with 405. Methods that no resource supports get 501.',
    'Fields that the caller may not see are omitted. With `fields`, the response contains only the named fields. Without it, the response contains the whole resource.',
    'Parameters and body fields that are not described are rejected.',
    `Every vendor media type is also available with the version: \`${vendorType(vendor, 'plain', version)}\` is \`${vendorType(vendor, 'plain')}\` of version ${version}.`,
    'Every response can have the headers `Vary`, `RateLimit` and `RateLimit-Policy`. Error responses, and responses without a body, also have the headers of other responses that apply, such as `Cache-Control`, `Link` and `Deprecation`.',
  ].join('\n\n');
}

function describePaths(routes: readonly RestRoute[], context: OperationContext): Readonly<Record<string, PathItem>> {
  const paths = new Map<string, Record<string, OperationObject>>();
  const uses = new Map<string, number>();
  for (const route of routes) {
    const path = printTemplate(route.template);
    const use = (uses.get(route.operationName) ?? 0) + 1;
    uses.set(route.operationName, use);
    const item = paths.get(path) ?? {};
    item[route.method.toLowerCase()] = describeOperation(route, route.operationName + (use === 1 ? '' : use), context);
    paths.set(path, item);
  }
  return Object.fromEntries(paths);
}

function describeTags(routes: readonly RestRoute[], schema: GraphQLSchema): OpenApiDocument['tags'] {
  const types = new Map(
    routes.flatMap((route) => {
      const type = declaredResult(route, schema)?.type;
      return type === undefined ? [] : [[type.name, type] as const];
    }),
  );
  return [...types.values()].map(({ name, description }) => ({ name, description: description ?? `Resources of the type \`${name}\`.` }));
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

type DescribedComponents = OpenApiDocument['components'];

/** Removes components that are not referenced, directly or indirectly. */
function retainUsed(document: OpenApiDocument): OpenApiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      const parts: Readonly<Record<string, unknown>> | undefined = components[section as keyof DescribedComponents];
      if (parts !== undefined && Object.hasOwn(parts, name)) follow(parts[name]);
    }
  };
  follow(rest);
  const retain = <T>(section: string, parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`)));
  const { schemas, parameters, headers, responses, securitySchemes } = components;
  return {
    ...rest,
    components: {
      schemas: retain('schemas', schemas),
      parameters: retain('parameters', parameters),
      headers: retain('headers', headers),
      responses: retain('responses', responses),
      securitySchemes,
    },
  };
}
