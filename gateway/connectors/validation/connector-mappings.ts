import type { StringValueNode } from 'graphql';
import type { ConnectorProblemCode } from '../definition/connector-problem.ts';
import type {
  LocatedConnector,
  LocatedErrors,
  LocatedMapping,
  LocatedRequest,
  LocatedSource,
  LocatedUrl,
} from '../definition/located-connector.ts';
import type { SelectionNode } from '../selection/selection-node.ts';
import type { Template } from '../template/template.ts';
import type { UrlTemplate } from '../template/url-template.ts';
import type { MappingPosition } from './connector-variables.ts';

/** Kind of the value in which a mapping must result. */
export type MappingResult = 'scalar' | 'list' | 'object' | 'boolean' | 'string' | 'anything';

/** A mapping of a `@source` or a `@connect`, with its position. */
export interface PositionedMapping {
  readonly mapping: SelectionNode;
  /** Literal that contains the mapping. */
  readonly text: StringValueNode;
  /** Position of the mapping in the value of the literal. */
  readonly start: number;
  /** Argument and coordinate, for messages. */
  readonly where: string;
  readonly code: ConnectorProblemCode;
  readonly position: MappingPosition;
  readonly result: MappingResult;
}

/** Lists all mappings of a `@source`. */
export function mappingsOfSource(source: LocatedSource, directive: string): readonly PositionedMapping[] {
  const where = (argument: string): string => `\`@${directive}(${argument})\` of the source "${source.name}"`;
  return [
    ...ofUrl(source.baseUrl, where('http: { baseURL: }'), 'base-url'),
    ...ofRequest(source.request, where, 'source-request'),
    ...ofResponse(source.errors, source.isSuccess, where, 'source-response'),
  ];
}

/** Lists all mappings of the request of a `@connect`: its URL, headers and body. */
export function mappingsOfRequest(connector: LocatedConnector, directive: string): readonly PositionedMapping[] {
  const where = whereOf(connector, directive);
  return [
    ...ofUrl(connector.url, where(`http: { ${connector.method ?? ''}: }`), 'request'),
    ...ofRequest(connector.request, where, 'request'),
    ...ofMapping(connector.body, { where: where('http: { body: }'), code: 'INVALID_BODY', position: 'request', result: 'anything' }),
  ];
}

/** Lists all mappings of the response of a `@connect`: its selection, `isSuccess` and `errors`. */
export function mappingsOfResponse(connector: LocatedConnector, directive: string): readonly PositionedMapping[] {
  const where = whereOf(connector, directive);
  return [
    ...ofMapping(connector.selection, { where: where('selection:'), code: 'INVALID_SELECTION', position: 'selection', result: 'anything' }),
    ...ofResponse(connector.errors, connector.isSuccess, where, 'response'),
  ];
}

function whereOf({ element }: LocatedConnector, directive: string): (argument: string) => string {
  return (argument) => `\`@${directive}(${argument})\` on \`${element.coordinate}\``;
}

function ofUrl(url: LocatedUrl | undefined, where: string, position: MappingPosition): readonly PositionedMapping[] {
  if (url === undefined) return [];
  return templatesOf(url.url).flatMap((template) => ofTemplate(template, url.text, { where, code: 'INVALID_URL', position }));
}

function templatesOf({ origin, path, query }: UrlTemplate): readonly Template[] {
  return [
    ...(origin === undefined ? [] : [origin]),
    ...path,
    ...query.flatMap(({ name, value }) => (value === undefined ? [name] : [name, value])),
  ];
}

function ofRequest(
  { headers, path, queryParams }: LocatedRequest,
  where: (argument: string) => string,
  position: MappingPosition,
): readonly PositionedMapping[] {
  return [
    ...headers.flatMap(({ rule, text }) =>
      text === undefined || 'from' in rule
        ? []
        : ofTemplate(rule.value, text, { where: where('http: { headers: }'), code: 'INVALID_HEADER', position }),
    ),
    ...ofMapping(path, { where: where('http: { path: }'), code: 'INVALID_URL_PROPERTY', position, result: 'list' }),
    ...ofMapping(queryParams, { where: where('http: { queryParams: }'), code: 'INVALID_URL_PROPERTY', position, result: 'object' }),
  ];
}

function ofResponse(
  { message, extensions }: LocatedErrors,
  isSuccess: LocatedMapping | undefined,
  where: (argument: string) => string,
  position: MappingPosition,
): readonly PositionedMapping[] {
  return [
    ...ofMapping(isSuccess, { where: where('isSuccess:'), code: 'INVALID_IS_SUCCESS', position, result: 'boolean' }),
    ...ofMapping(message, { where: where('errors: { message: }'), code: 'INVALID_ERRORS', position, result: 'string' }),
    ...ofMapping(extensions, { where: where('errors: { extensions: }'), code: 'INVALID_ERRORS', position, result: 'object' }),
  ];
}

function ofMapping(
  located: LocatedMapping | undefined,
  use: Omit<PositionedMapping, 'mapping' | 'text' | 'start'>,
): readonly PositionedMapping[] {
  return located === undefined ? [] : [{ ...use, ...located, start: 0 }];
}

function ofTemplate(
  { parts }: Template,
  text: StringValueNode,
  { where, code, position }: Pick<PositionedMapping, 'where' | 'code' | 'position'>,
): readonly PositionedMapping[] {
  return parts.flatMap((part) =>
    part.kind === 'text' ? [] : [{ mapping: part.expression, text, start: part.offset, where, code, position, result: 'scalar' as const }],
  );
}
