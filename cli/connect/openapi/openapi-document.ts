import { CommandFailed } from '../../command-failed.ts';
import { isApiObject, type ApiObject, listOf, valueAt } from './api-value.ts';

/** An OpenAPI document of a supported version, with its references. */
export interface OpenApiDocument {
  readonly root: ApiObject;
  /** Absolute URL from which it was fetched. Relative URLs of servers refer to it. */
  readonly url?: string;
  /** Follows the references of a value. Returns undefined if a target does not exist, or if references only refer to each other. */
  resolve(value: unknown): Resolved | undefined;
}

/** A value after its references were followed. */
export interface Resolved {
  readonly value: ApiObject;
  /** Last segment of the last reference, such as `User` for `#/components/schemas/User`. Absent without a reference. */
  readonly name?: string;
}

/** Maximum nesting of a document. Deeper documents are rejected before they are read. */
const MAX_DEPTH = 100;
/** Maximum number of references that refer to references. */
const MAX_REFERENCES = 50;

/**
 * Checks the version, the nesting and the references of a parsed document.
 *
 * @param shown path or URL for messages
 * @throws CommandFailed
 */
export function openDocument(root: unknown, shown: string, url?: string): OpenApiDocument {
  if (!isApiObject(root)) throw new CommandFailed(`${shown} is not an OpenAPI document: expected an object with the key "openapi".`);
  checkVersion(root, shown);
  checkReferences(root, shown);
  return {
    root,
    ...(url === undefined ? {} : { url }),
    resolve(value) {
      let current: unknown = value;
      let name: string | undefined;
      for (let followed = 0; followed <= MAX_REFERENCES; followed += 1) {
        if (!isApiObject(current)) return undefined;
        const reference = valueAt(current, '$ref');
        if (typeof reference !== 'string') return { value: current, ...(name === undefined ? {} : { name }) };
        const segments = segmentsOf(reference);
        name = segments.at(-1) ?? name;
        current = valueOf(root, segments);
      }
      return undefined;
    },
  };
}

function checkVersion(root: ApiObject, shown: string): void {
  const swagger = valueAt(root, 'swagger');
  if (swagger !== undefined) {
    throw new CommandFailed(
      `${shown} is a Swagger ${typeof swagger === 'string' ? swagger : JSON.stringify(swagger)} document. Convert it to OpenAPI 3 first, for example with ` +
        '`npx swagger2openapi --outfile openapi.yaml <file>`, and use the result.',
    );
  }
  const version = valueAt(root, 'openapi');
  if (typeof version === 'string' && /^3\.[01](?:\.|$)/.test(version)) return;
  const found = version === undefined ? 'has no key "openapi"' : `has the version ${JSON.stringify(version)}`;
  throw new CommandFailed(`${shown} ${found}. Expected an OpenAPI document of the version 3.0 or 3.1.`);
}

/** Rejects references to other documents, which would have to be fetched, and documents that are nested too deeply to be read. */
function checkReferences(root: ApiObject, shown: string): void {
  const external = new Set<string>();
  const visit = (value: unknown, depth: number, isNamed: boolean): void => {
    if (depth > MAX_DEPTH) throw new CommandFailed(`${shown} is nested more than ${MAX_DEPTH} levels deep, so it is not read.`);
    if (Array.isArray(value)) for (const item of listOf(value)) visit(item, depth + 1, false);
    if (!isApiObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (DATA_KEYS.has(key) && !isNamed) continue;
      if (key === '$ref' && typeof child === 'string' && !isNamed && !child.startsWith('#')) external.add(child);
      else visit(child, depth + 1, !isNamed && NAMED_KEYS.has(key));
    }
  };
  visit(root, 0, false);
  if (external.size === 0) return;
  const [first = ''] = external;
  const more = external.size === 1 ? '' : ` and ${external.size - 1} more`;
  throw new CommandFailed(
    `${shown} refers to other documents: ${JSON.stringify(first)}${more}. They are not fetched. Bundle everything into one document ` +
      'first, for example with `npx @redocly/cli bundle`.',
  );
}

/** Keys whose values are data of examples, and not descriptions. */
const DATA_KEYS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Keys of objects whose keys are names that users choose. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'schemas',
  'responses',
  'parameters',
  'headers',
]);

/** Splits a JSON pointer (RFC 6901) in a fragment. */
function segmentsOf(reference: string): readonly string[] {
  const pointer = reference.replace(/^#\/?/, '');
  if (pointer === '') return [];
  return pointer.split('/').map((segment) => decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function valueOf(root: ApiObject, segments: readonly string[]): unknown {
  let value: unknown = root;
  for (const segment of segments) {
    value = Array.isArray(value) ? listOf(value)[Number(segment)] : valueAt(value, segment);
  }
  return value;
}
