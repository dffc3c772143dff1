import type {
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from '../../../rest-facade/openapi/openapi-document.ts';
import { type BodyCheck, createBodyCheck } from './body-check.ts';
import { resolve } from './resolve.ts';

/** A served OpenAPI description, with the lookups that tests need. */
export interface DescribedInterface {
  readonly version: number;
  readonly document: OpenApiDocument;
  readonly operations: readonly DescribedOperation[];
  readonly checkBody: BodyCheck;
  /** Finds the described path of a request path. Returns undefined when it is not described. */
  locate(path: string): DescribedPath | undefined;
  parameter(parameter: Parameter | Reference): Parameter;
  response(response: ResponseObject | Reference): ResponseObject;
}

export interface DescribedOperation {
  readonly path: string;
  /** Lower case. */
  readonly method: string;
  readonly operation: OperationObject;
}

export interface DescribedPath {
  /** Path in the notation of the description: `/users/{user_id}`. */
  readonly path: string;
  readonly operations: ReadonlyMap<string, DescribedOperation>;
}

const known = new Map<string, DescribedInterface>();

/** Reads a description from its text. Gateways of one graph serve the same text, so it is parsed once for all of them. */
export function readDescriptionText(text: string): DescribedInterface {
  const read = known.get(text) ?? readDescription(JSON.parse(text) as OpenApiDocument);
  known.set(text, read);
  return read;
}

export function readDescription(document: OpenApiDocument): DescribedInterface {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): DescribedOperation => ({ path, method, operation })),
  );
  // The parameter or the media type can name the version, and then the path does not contain it.
  const urls = document.servers.flatMap(({ url }) => [url, url.replace(/\/v\d+$/, '')]);
  const roots = [...new Set(urls.map((url) => (url === '/' ? '' : url)))].toSorted((a, b) => b.length - a.length);
  const paths = Object.keys(document.paths).map((path) => ({ path, pattern: toPattern(path) }));
  // Literal segments win over parameters, as in the product.
  paths.sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  return {
    version: Number(document.info.version),
    document,
    operations,
    checkBody: createBodyCheck(document),
    locate(path) {
      for (const root of roots) {
        if (!path.startsWith(`${root}/`)) continue;
        const found = paths.find(({ pattern }) => pattern.test(path.slice(root.length)));
        if (found === undefined) continue;
        const own = operations.filter((candidate) => candidate.path === found.path);
        return { path: found.path, operations: new Map(own.map((candidate) => [candidate.method, candidate])) };
      }
      return undefined;
    },
    parameter: (parameter) => ('$ref' in parameter ? resolve(parameter.$ref, document.components.parameters) : parameter),
    response: (response) => ('$ref' in response ? resolve(response.$ref, document.components.responses) : response),
  };
}

function toPattern(path: string): RegExp {
  const source = path
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.')));
  return new RegExp(`^/${source.join('/')}/?$`);
}
