import { compileSelection } from '../selection/compile-selection.ts';
import type { SelectionProblem, MappingVariables } from '../selection/compiled-mapping.ts';
import type { SelectionNode } from '../selection/selection-node.ts';
import { type BuildText, type CompileExpression, compileTemplate, NO_INPUT, scalarText } from './compile-template.ts';
import { ConnectorRequestInvalid } from './connector-request-invalid.ts';
import { encodeWrittenText, percentEncode } from './percent-encode.ts';
import { parseOrigin, type UrlOrigin } from './parse-origin.ts';
import type { QueryTemplate, UrlTemplate } from './url-template.ts';

/** Sections of a URL, from a source and a connector. Sections of the source are first. */
export interface UrlSections {
  readonly source?: {
    readonly baseUrl: UrlTemplate;
    readonly path?: SelectionNode;
    readonly queryParams?: SelectionNode;
  };
  readonly http: {
    readonly url: UrlTemplate;
    readonly path?: SelectionNode;
    readonly queryParams?: SelectionNode;
  };
}

/** URL of one request. */
export interface BuiltUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, encoded. */
  readonly target: string;
}

/** Builds the URL of one request. Problems of mappings are appended. */
export type BuildUrl = (variables: MappingVariables, problems?: SelectionProblem[]) => BuiltUrl;

/** Appends text to a list: segments of a path, or parameters of a query. */
type Append = (to: string[], variables: MappingVariables, problems: SelectionProblem[] | undefined) => void;

const PATH = 'the path of the URL';
const QUERY = 'the query of the URL';

/**
 * Compiles the URL of a connector. Values of expressions are encoded so that they remain within the segment or parameter in which they are
 * written. Only `baseURL` determines the origin.
 *
 * @param compile compiles the expressions
 * @returns a function that throws ConnectorRequestInvalid if a value is not allowed at its position
 */
export function compileUrl({ source, http }: UrlSections, compile: CompileExpression = compileSelection): BuildUrl {
  const origin = compileOrigin(source === undefined ? http.url : source.baseUrl);
  const path = [
    ...(source === undefined ? [] : [...segmentsOf(source.baseUrl, compile), ...appendPath(source.path, compile)]),
    ...segmentsOf(http.url, compile),
    ...appendPath(http.path, compile),
  ];
  const query = [
    ...(source === undefined ? [] : [...parametersOf(source.baseUrl, compile), ...appendParameters(source.queryParams, compile)]),
    ...parametersOf(http.url, compile),
    ...appendParameters(http.queryParams, compile),
  ];
  const end = hasTrailingSlash({ ...(source === undefined ? {} : { source }), http }) ? '/' : '';

  function pathOf(segments: readonly string[], variables: MappingVariables, problems: SelectionProblem[] | undefined): string {
    const allSegments = [...segments];
    for (const append of path) append(allSegments, variables, problems);
    return `/${allSegments.join('/')}${allSegments.length > 0 ? end : ''}`;
  }

  const isFixed = hasFixedPath(source) && hasFixedPath(http);
  let last = { start: undefined as UrlOrigin | undefined, pathname: '' };
  return (variables, problems) => {
    const start = origin(variables, problems);
    if (!isFixed || last.start !== start) {
      const pathname = pathOf(start.segments, variables, problems);
      // All parameters are encoded, so they cannot change how the path is parsed.
      if (start !== last.start || pathname !== last.pathname) check(start.origin, pathname);
      last = { start, pathname };
    }
    const parameters = [...start.parameters];
    for (const append of query) append(parameters, variables, problems);
    return { origin: start.origin, target: parameters.length === 0 ? last.pathname : `${last.pathname}?${parameters.join('&')}` };
  };
}

/** Returns whether the path has no expressions. */
function hasFixedPath(section: UrlSections['source'] | UrlSections['http'] | undefined): boolean {
  if (section === undefined) return true;
  const { path } = 'url' in section ? section.url : section.baseUrl;
  return section.path === undefined && path.every(({ parts }) => parts.every(({ kind }) => kind === 'text'));
}

/** Whether the last written segment ends with a slash, and no argument `path` appends to it. */
function hasTrailingSlash({ source, http }: UrlSections): boolean {
  if (http.path !== undefined) return false;
  if (http.url.path.length > 0) return http.url.hasTrailingSlash;
  return source !== undefined && source.path === undefined && source.baseUrl.hasTrailingSlash;
}

/** Verifies that the URL parser reads the URL as it was built. @throws ConnectorRequestInvalid if it does not */
function check(origin: string, pathname: string): void {
  const url = new URL(`${origin}${pathname}`);
  if (url.origin !== origin || url.pathname !== pathname || url.search !== '' || url.hash !== '') {
    throw new ConnectorRequestInvalid('The URL of the connector changed when it was parsed, so it is not sent.');
  }
}

function compileOrigin({ origin }: UrlTemplate): (variables: MappingVariables, problems?: SelectionProblem[]) => UrlOrigin {
  if (origin === undefined) throw new TypeError('A connector without a source must have an absolute URL.');
  const text = compileTemplate(origin, 'baseURL');
  if (origin.parts.every(({ kind }) => kind === 'text')) {
    const fixed = parseOrigin(text({}));
    return () => fixed;
  }
  let last = { text: '', parsed: undefined as UrlOrigin | undefined };
  return (variables, problems) => {
    const current = text(variables, problems);
    if (last.parsed === undefined || last.text !== current) last = { text: current, parsed: parseOrigin(current) };
    return last.parsed as UrlOrigin;
  };
}

function segmentsOf({ path }: UrlTemplate, compile: CompileExpression): readonly Append[] {
  const encoding = { compile, written: (text: string) => encodeWrittenText(text, 'segment'), value: percentEncode };
  return path.map((segment): Append => {
    const build = compileTemplate(segment, PATH, encoding);
    return (to, variables, problems) => void to.push(segmentText(build(variables, problems)));
  });
}

/** @throws ConnectorRequestInvalid for `.` and `..`, which servers and proxies resolve even if they are encoded */
function segmentText(segment: string): string {
  if (segment !== '.' && segment !== '..') return segment;
  throw new ConnectorRequestInvalid(`An expression in ${PATH} resulted in the segment "${segment}", which is relative to the path.`);
}

function appendPath(node: SelectionNode | undefined, compile: CompileExpression): readonly Append[] {
  if (node === undefined) return [];
  const mapping = compile(node);
  return [
    (to, variables, problems) => {
      const segments = mapping(NO_INPUT, variables, problems);
      if (segments === null || segments === undefined) return;
      if (!Array.isArray(segments)) throw new ConnectorRequestInvalid('The argument path resulted in a value that is not a list.');
      for (const segment of segments as readonly unknown[]) {
        if (segment === null || segment === undefined) throw new ConnectorRequestInvalid('The argument path resulted in a null segment.');
        to.push(segmentText(percentEncode(scalarText(segment, 'the argument path'))));
      }
    },
  ];
}

function parametersOf({ query }: UrlTemplate, compile: CompileExpression): readonly Append[] {
  return query.map((parameter): Append => {
    const build = compileParameter(parameter, compile);
    return (to, variables, problems) => void to.push(build(variables, problems));
  });
}

function compileParameter({ name, value }: QueryTemplate, compile: CompileExpression): BuildText {
  const encoding = { compile, written: (text: string) => encodeWrittenText(text, 'query'), value: percentEncode };
  const buildName = compileTemplate(name, QUERY, encoding);
  if (value === undefined) return buildName;
  const buildValue = compileTemplate(value, QUERY, encoding);
  return (variables, problems) => `${buildName(variables, problems)}=${buildValue(variables, problems)}`;
}

function appendParameters(node: SelectionNode | undefined, compile: CompileExpression): readonly Append[] {
  if (node === undefined) return [];
  const mapping = compile(node);
  return [
    (to, variables, problems) => {
      const parameters = mapping(NO_INPUT, variables, problems);
      if (parameters === null || parameters === undefined) return;
      if (typeof parameters !== 'object' || Array.isArray(parameters)) {
        throw new ConnectorRequestInvalid('The argument queryParams resulted in a value that is not an object.');
      }
      for (const [name, value] of Object.entries(parameters)) appendParameter(to, name, value);
    },
  ];
}

/** Appends a parameter once for each value of a list. Null values are omitted. */
function appendParameter(to: string[], name: string, value: unknown): void {
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  for (const one of values) {
    if (one === null || one === undefined) continue;
    to.push(`${percentEncode(name)}=${percentEncode(scalarText(one, 'the argument queryParams'))}`);
  }
}
