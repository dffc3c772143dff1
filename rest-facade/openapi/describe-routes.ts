import type { GraphQLSchema } from 'graphql';
import { VERSION_PARAMETER } from '../compile/bindings/bindings.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import type { Fragments } from '../compile/documents/selections.ts';
import { printTemplate } from '../compile/endpoint/path-template.ts';
import { routesIn } from '../compile/endpoint/versions.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { FieldLimits } from '../request/parameters/field-selection.ts';
import type { PageLimits } from '../request/parameters/page-request.ts';
import { declaredResult } from './declared-result.ts';
import { RESPONSE_HEADERS } from './describe-headers.ts';
import { HEALTH_PATH, HEALTH_TAG } from './describe-health.ts';
import { describeOperation, type OperationContext, securitySchemes } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { errorResponses } from './error-responses.ts';
import { HEADER_PARAMETERS } from './header-parameters.ts';
import type { OpenApiDocument, OperationObject, Parameter, PathItem, Server } from './openapi-document.ts';
import { createComponents } from './schemas/components.ts';
import { formsOf } from './schemas/representations.ts';

/** What a description is made of. */
export interface DescriptionSource {
  readonly routes: readonly RestRoute[];
  readonly fragments: Fragments;
  /** The public schema. */
  readonly schema: GraphQLSchema;
  /** How callers may prove who they are: `WWW-Authenticate` of those who have not tried to. */
  readonly challenges: string;
  /** Whether callers without credentials are refused whatever they send. */
  readonly needsCredentials: (route: RestRoute) => boolean;
  /** Documents of webhooks, told beside the routes. @defaultValue none */
  readonly webhooks?: readonly RestDocument[];
  readonly settings: DescriptionSettings;
  /** Whether `/health` is answered. @defaultValue false */
  readonly tellsHealth?: boolean;
}

/** What of the settings a description tells. */
export interface DescriptionSettings extends PageLimits, FieldLimits {
  readonly title: string;
  readonly mounts: readonly string[];
  readonly mediaTypeVendor: string;
}

/** Which version is described, and for whom. */
export interface DescribedVersion {
  readonly version: number;
  /** Whether it is the one that answers who names none. */
  readonly isDefault: boolean;
  /** Path below which another server has mounted the facade; empty at its root. */
  readonly basePath: string;
}

/** The routes of a version as one document of OpenAPI 3.1. Made of its arguments alone, and the same for the same. */
export function describeRoutes(
  { routes: all, settings, challenges, webhooks = [], tellsHealth = false, ...source }: DescriptionSource,
  described: DescribedVersion,
): OpenApiDocument {
  const { version } = described;
  const routes = routesIn(all, version);
  const components = createComponents();
  const schemes = securitySchemes(challenges);
  const forms = formsOf(settings.mediaTypeVendor, version);
  const bodies = { version, vendor: settings.mediaTypeVendor };
  const paths = describePaths(routes, { ...source, components, forms, bodies, limits: settings, securitySchemes: schemes });
  const responses = errorResponses(forms, components);
  const events = describeWebhooks(webhooks, version, { schema: source.schema, components });
  const hasEvents = Object.keys(events).length > 0;
  return keepUsed({
    openapi: '3.1.1',
    info: { title: settings.title, version: String(version), description: CONVENTIONS },
    servers: describeServers(settings.mounts, described),
    tags: [...describeTags(routes, source.schema), ...(hasEvents ? [EVENTS] : []), ...(tellsHealth ? [HEALTH_TAG] : [])],
    paths: { ...(tellsHealth ? HEALTH_PATH : {}), ...paths },
    ...(hasEvents ? { webhooks: events } : {}),
    components: {
      schemas: components.all(),
      parameters: { ...HEADER_PARAMETERS, Version: versionParameter(version) },
      headers: RESPONSE_HEADERS,
      responses,
      securitySchemes: schemes,
    },
  });
}

const EVENTS = { name: 'Event', description: 'What is sent to the addresses of webhooks.' };

/** A version that is not the default one is named by every address. */
function describeServers(mounts: readonly string[], { version, isDefault, basePath }: DescribedVersion): readonly Server[] {
  const roots = [...(isDefault ? mounts : []), ...mounts.map((mount) => `${mount}/v${version}`)];
  return roots.map((root) => ({ url: basePath + root === '' ? '/' : basePath + root, description: 'Every resource answers here.' }));
}

function versionParameter(version: number): Parameter {
  return {
    name: VERSION_PARAMETER,
    in: 'query',
    description: 'Names the version where the path does not; where both do, they agree.',
    schema: { type: 'integer', enum: [version] },
  };
}

/** What holds for every path, and what OpenAPI has no place for. */
const CONVENTIONS = [
  'Every path that answers GET answers HEAD as well; every path answers OPTIONS with `Allow`, and other methods with 405, those that no resource has with 501.',
  'A field that the caller may not see is left out. With `fields`, only what is named there is in the answer; without, it is the whole resource.',
  'Parameters and fields of bodies that are not described are refused.',
].join('\n\n');

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
  return [...types.values()].map(({ name, description }) => ({ name, description: description ?? name }));
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

type DescribedComponents = OpenApiDocument['components'];

/** The document without components that nothing in it leads to. */
function keepUsed(document: OpenApiDocument): OpenApiDocument {
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
  const keep = <T>(section: string, parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`)));
  const { schemas, parameters, headers, responses, securitySchemes } = components;
  return {
    ...rest,
    components: {
      schemas: keep('schemas', schemas),
      parameters: keep('parameters', parameters),
      headers: keep('headers', headers),
      responses: keep('responses', responses),
      securitySchemes,
    },
  };
}
