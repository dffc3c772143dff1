import type { ConstDirectiveNode, ConstValueNode, StringValueNode } from 'graphql';
import type { LocatedErrors, LocatedRequest, LocatedSource } from './located-connector.ts';
import { readHeaders } from './read-headers.ts';
import { readMapping, type ReadContext } from './read-mapping.ts';
import { readBaseUrl } from './read-urls.ts';
import { type NamedValue, type NamedValues, readInputFields, readNamed, readString } from './read-values.ts';

const ARGUMENTS = ['name', 'http', 'errors', 'isSuccess'];
const HTTP = ['baseURL', 'headers', 'path', 'queryParams'];

const NAME_START = /^[A-Za-z]/;
const NAME_CHARACTERS = /[^\w-]/;

/** Maximum length of the name of a source. @unit characters */
const MAX_NAME_LENGTH = 64;

/**
 * Reads a `@source`.
 *
 * @param values its arguments
 * @param directive name of the directive in the subgraph
 */
export function readSource(
  node: ConstDirectiveNode,
  values: readonly NamedValue[],
  directive: string,
  context: ReadContext,
): LocatedSource {
  const { report } = context;
  const found = readNamed(values, ARGUMENTS, `@${directive}`, report);
  const name = readSourceName(readString(found.get('name'), `@${directive}(name:)`, report), node, directive, context);
  const on = name === '' ? '' : ` of the source "${name}"`;
  const http = readInputFields(found.get('http'), HTTP, `\`@${directive}(http:)\`${on}`, report);
  const base = readString(http?.get('baseURL'), `\`@${directive}(http: { baseURL: })\`${on}`, report);
  if (base === undefined && http?.has('baseURL') !== true) {
    report('INVALID_URL', `\`@${directive}\`${on} has no http: { baseURL: }.`, node);
  }
  const baseUrl = base === undefined ? undefined : readBaseUrl(base, `\`@${directive}(http: { baseURL: })\`${on}`, context);
  const isSuccess = readMapping(found.get('isSuccess'), `\`@${directive}(isSuccess:)\`${on}`, 'INVALID_IS_SUCCESS', context);
  return {
    name,
    node,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    request: readRequest(http, `@${directive}`, on, context),
    ...(isSuccess === undefined ? {} : { isSuccess }),
    errors: readErrorMappings(found.get('errors'), `@${directive}`, on, context),
  };
}

/** Reads the headers, `path` and `queryParams` of `http`. */
export function readRequest(http: NamedValues | undefined, directive: string, on: string, context: ReadContext): LocatedRequest {
  const where = (argument: string): string => `\`${directive}(http: { ${argument}: })\`${on}`;
  const path = readMapping(http?.get('path'), where('path'), 'INVALID_URL_PROPERTY', context);
  const queryParams = readMapping(http?.get('queryParams'), where('queryParams'), 'INVALID_URL_PROPERTY', context);
  return {
    headers: readHeaders(http?.get('headers'), where('headers'), context),
    ...(path === undefined ? {} : { path }),
    ...(queryParams === undefined ? {} : { queryParams }),
  };
}

/** Reads the argument `errors`. */
export function readErrorMappings(value: ConstValueNode | undefined, directive: string, on: string, context: ReadContext): LocatedErrors {
  const errors = readInputFields(value, ['message', 'extensions'], `\`${directive}(errors:)\`${on}`, context.report);
  const read = (argument: string) =>
    readMapping(errors?.get(argument), `\`${directive}(errors: { ${argument}: })\`${on}`, 'INVALID_ERRORS', context);
  const message = read('message');
  const extensions = read('extensions');
  return { ...(message === undefined ? {} : { message }), ...(extensions === undefined ? {} : { extensions }) };
}

function readSourceName(name: StringValueNode | undefined, node: ConstDirectiveNode, directive: string, { report }: ReadContext): string {
  if (name === undefined || name.value === '') {
    report('EMPTY_SOURCE_NAME', `\`@${directive}\` has no name. Connectors refer to a source by its name.`, name ?? node);
    return '';
  }
  const issue = issueOfName(name.value);
  if (issue === undefined) return name.value;
  report('INVALID_SOURCE_NAME', `\`@${directive}(name: "${name.value}")\` ${issue}.`, name);
  return name.value;
}

/** Explains why a name is invalid for a source, or for the `id` of a connector. */
export function issueOfName(name: string): string | undefined {
  const [invalid] = NAME_CHARACTERS.exec(name) ?? [];
  if (invalid !== undefined) return `contains "${invalid}". Use ASCII letters, digits, underscores and hyphens`;
  if (!NAME_START.test(name)) return 'must begin with an ASCII letter';
  return name.length > MAX_NAME_LENGTH ? `has more than ${MAX_NAME_LENGTH} characters` : undefined;
}
