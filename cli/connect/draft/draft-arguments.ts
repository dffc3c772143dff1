import type { ApiOperation, ApiParameter } from '../openapi/read-operations.ts';
import type { PathSegment } from '../openapi/path-segment.ts';
import type { DraftedArgument, DraftedField, DraftedHeader, FieldType } from './drafted-subgraph.ts';
import { isIdName, type TypeDrafts } from './draft-types.ts';
import { camelCase, createUsedNames, fieldNameOf, type UsedNames } from './graphql-names.ts';
import { literalOf } from './literal.ts';
import type { OmissionLog } from './omission-log.ts';
import { printArgument, printBody, printQueryParams, type QueryArgument } from './print-selection.ts';

/** The arguments of a field, and the request that is written with them. */
export interface DraftedRequest {
  readonly arguments: readonly DraftedArgument[];
  readonly url: string;
  readonly queryParams?: string;
  readonly headers: readonly DraftedHeader[];
  readonly body?: string;
}

/** Values of path parameters that are no arguments with the name of the parameter. */
export interface RequestOptions {
  /** Name of the type of the field, for the types of arguments. */
  readonly hint: string;
  /** Key fields whose names and types the arguments for path parameters have. */
  readonly keys?: ReadonlyMap<string, DraftedField>;
  /** Fields of the parent from which path parameters are read. */
  readonly parent?: ReadonlyMap<string, DraftedField>;
  /** Whether only path parameters are arguments. */
  readonly isEntity?: boolean;
}

/** Scalars that a URL can carry as an `ID`, because each value has one text. */
const TEXTUAL: ReadonlySet<string> = new Set(['String', 'Int', 'BigInt', 'UUID']);
const FORM_HEADER: DraftedHeader = { name: 'Content-Type', value: 'application/x-www-form-urlencoded' };

/** Drafts the arguments and the request of an operation. Returns the reason if it cannot be called. */
export function draftRequest(
  operation: ApiOperation,
  types: TypeDrafts,
  log: OmissionLog,
  options: RequestOptions,
): DraftedRequest | { readonly reason: string } {
  const context: ArgumentContext = {
    operation,
    types,
    log,
    options,
    used: createUsedNames(operation.body === undefined ? [] : ['input']),
    args: [],
    location: `${operation.method} ${operation.path}`,
  };
  try {
    const variables = draftPath(context);
    const queryParams = printQueryParams(draftQuery(context));
    const headers = draftHeaders(context);
    const body = draftBody(context, headers);
    return {
      arguments: context.args,
      url: urlOf(operation, variables),
      headers,
      ...(queryParams === undefined ? {} : { queryParams }),
      ...(body === undefined ? {} : { body }),
    };
  } catch (error) {
    if (error instanceof ArgumentOmitted) return { reason: error.message };
    throw error;
  }
}

interface ArgumentContext {
  readonly operation: ApiOperation;
  readonly types: TypeDrafts;
  readonly log: OmissionLog;
  readonly options: RequestOptions;
  readonly used: UsedNames;
  readonly args: DraftedArgument[];
  readonly location: string;
}

/** Reports that an operation cannot be called, because a required argument has no type. */
class ArgumentOmitted extends Error {}

/** Returns the variable of each path parameter. */
function draftPath({ operation, options, used, args, ...context }: ArgumentContext): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const parameter of operation.pathParameters) {
    const field = options.parent?.get(parameter.name);
    if (field !== undefined) {
      variables.set(parameter.name, `$this.${field.name}`);
      continue;
    }
    const key = options.keys?.get(parameter.name);
    const type = key?.type ?? argumentType(parameter, { operation, options, used, args, ...context });
    const name = used.take(key?.name ?? camelCase(parameter.name, 'argument'));
    args.push(argumentOf(name, type, parameter));
    variables.set(parameter.name, printArgument(name, type));
  }
  return variables;
}

function draftQuery(context: ArgumentContext): readonly QueryArgument[] {
  const { operation, options, log, used, args, location } = context;
  return operation.queryParameters.flatMap((parameter) => {
    if (options.isEntity === true) {
      log.add(`the parameter ${parameter.name} of ${location}`, 'the arguments of an entity are its key');
      return [];
    }
    const type = argumentType(parameter, context);
    const name = used.take(camelCase(parameter.name, 'argument'), fieldNameOf(parameter.name));
    args.push(argumentOf(name, type, parameter));
    return [{ jsonName: parameter.name, name, type, isRepeated: parameter.isRepeated }];
  });
}

function draftHeaders(context: ArgumentContext): DraftedHeader[] {
  return context.operation.headerParameters.map((parameter) => {
    const type = argumentType(parameter, context);
    const name = context.used.take(camelCase(parameter.name, 'header'));
    context.args.push(argumentOf(name, type, parameter));
    return { name: parameter.name, value: `{${printArgument(name, type)}}` };
  });
}

/** Returns the mapping of the body. The argument `input` has its content. */
function draftBody({ operation, types, options, args, location }: ArgumentContext, headers: DraftedHeader[]): string | undefined {
  if (operation.body === undefined) return undefined;
  const { shape, isRequired, encoding } = operation.body;
  const type = types.typeOf(shape, 'input', options.hint, `the body of ${location}`);
  if ('reason' in type) throw new ArgumentOmitted(type.reason);
  args.push({ name: 'input', type: withNullability(type, isRequired) });
  if (encoding === 'form') headers.push(FORM_HEADER);
  return printBody('input', type);
}

/** @throws ArgumentOmitted */
function argumentType(parameter: ApiParameter, { types, options, location }: ArgumentContext): FieldType {
  const type = types.typeOf(
    parameter.shape,
    'input',
    `${options.hint} ${parameter.name}`,
    `the parameter ${parameter.name} of ${location}`,
  );
  if ('reason' in type) throw new ArgumentOmitted(`its parameter ${parameter.name} cannot be an argument, because ${type.reason}`);
  const isId = isIdName(parameter.name.replace(/\[\]$/, '')) || isIdList(parameter);
  const named = isId && TEXTUAL.has(type.name) && type.enumeration === undefined ? { ...type, name: 'ID' } : type;
  return withNullability(named, parameter.isRequired);
}

/** Whether a parameter is a list of identifiers: `ids`, `user_ids`, `id[]`. */
function isIdList({ name, shape }: ApiParameter): boolean {
  return shape.kind === 'list' && /(?:^|[-_a-z])(?:i|I)(?:d|D)s?(?:\[\])?$/.test(name);
}

function withNullability(type: FieldType, isRequired: boolean): FieldType {
  return { ...type, levels: [isRequired ? 'required' : 'nullable', ...type.levels.slice(1)] };
}

function argumentOf(name: string, type: FieldType, { shape, description }: ApiParameter): DraftedArgument {
  const fallback = literalOf(shape.fallback, type);
  const text = description ?? shape.description;
  return { name, type, ...(text === undefined ? {} : { description: text }), ...(fallback === undefined ? {} : { fallback }) };
}

/** Writes the URL below the base URL, with variables in place of path parameters. */
function urlOf({ path, segments }: ApiOperation, variables: ReadonlyMap<string, string>): string {
  const texts = segments.map((segment: PathSegment) =>
    segment.text.replaceAll(/\{([^{}]+)\}/g, (_match, name: string) => `{${variables.get(name) ?? ''}}`),
  );
  return `/${texts.join('/')}${path.endsWith('/') && texts.length > 0 ? '/' : ''}`;
}
