import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { parametersOf } from '../endpoint/path-template.ts';
import type { ProblemReport } from '../mapping-problems.ts';

/** A variable with its type, as the compilers of bindings use it. */
export interface TypedVariable {
  readonly node: VariableDefinitionNode;
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The type without its outer `!`. */
  readonly nullable: GraphQLInputType;
  /** Whether clients must send a value. */
  readonly isRequired: boolean;
}

/** Reads the variables of a validated operation. */
export function readTypedVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly TypedVariable[] {
  return (operation.variableDefinitions ?? []).flatMap((node) => {
    const type = typeFromAST(schema, node.type);
    if (!isInputType(type)) return []; // Validation has already reported this type.
    const isRequired = isNonNullType(type) && node.defaultValue === undefined;
    return [{ node, name: node.variable.name.value, type, nullable: isNonNullType(type) ? type.ofType : type, isRequired }];
  });
}

/** Query parameters that have a fixed meaning. Names in `SECRET` would carry secrets. Documents can use neither. */
const RESERVED = new Set(['page', 'size', 'limit', 'first', 'after', 'sort', 'fields', 'version', 'count']);
const SECRET = /^(?:.*token|api_?key|password|secret|authorization)$/i;

/** Whether a document can read a query parameter of this name. */
export function isParameterName(name: string): boolean {
  return !RESERVED.has(name) && !SECRET.test(name);
}

const HEADER_NAME = /^[a-z0-9-]+$/;
/** Headers that HTTP, the gateway or the facade interprets, and headers that carry credentials. Documents cannot read them. */
const OWN_HEADERS =
  /^(?:accept.*|authorization|cookie|connection|content-.*|date|expect|host|if-.*|idempotency-key|last-event-id|origin|prefer|proxy-.*|range|sec-.*|te|trailer|transfer-encoding|upgrade|x-api-key|x-correlation-id|x-forwarded-.*)$/;

/** Checks that every variable has exactly one source and that no two variables have the same source. */
export function checkVariables(variables: readonly TypedVariable[], endpoint: Endpoint, report: ProblemReport): void {
  const taken = new Set<string>();
  for (const { node, name } of variables) {
    const sources = (['in', 'body', 'page', 'sort', 'idempotencyKey', 'ifMatch'] as const).filter(
      (directive) => useOf(node, directive) !== undefined,
    );
    if (sources.length === 0) {
      report.at(
        node,
        `$${name} has no source in the request.`,
        'Add one of @in, @body, @page, @sort, @idempotencyKey or @ifMatch to the variable.',
      );
    } else if (sources.length > 1) {
      report.at(
        node,
        `$${name} has more than one source: ${sources.map((source) => `@${source}`).join(', ')}.`,
        'Keep one of these directives.',
      );
    }
    const source = useOf(node, 'in')?.values;
    if (source === undefined) {
      const integer = useOf(node, 'integer');
      if (integer !== undefined && typeof useOf(node, 'body')?.values.field !== 'string')
        report.at(
          integer.node,
          `@integer has no effect on $${name}, because the variable has neither @in nor \`@body(field: …)\`.`,
          'Use @integer with one of them. For the fields of a whole body, write `@body(integers: […])`.',
        );
      continue;
    }
    const locations = { path: source.path ?? undefined, query: source.query ?? undefined, header: source.header?.toLowerCase() };
    checkSource({ node, name, ...locations }, endpoint, report);
    const key = locations.path === undefined ? (locations.query ?? `the header ${locations.header ?? ''}`) : `{${locations.path}}`;
    if (taken.has(key))
      report.at(
        node,
        `Two variables are read from the same source: ${key}.`,
        'Use one variable, and refer to it wherever the operation needs the value.',
      );
    taken.add(key);
  }
}

interface Source {
  readonly node: TypedVariable['node'];
  readonly name: string;
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly header: string | undefined;
}

function checkSource({ node, name, path, query, header }: Source, endpoint: Endpoint, report: ProblemReport): void {
  if ([path, query, header].filter((location) => location !== undefined).length !== 1) {
    report.at(node, `@in on $${name} must name exactly one source.`, 'Write `@in(path: "…")`, `@in(query: "…")` or `@in(header: "…")`.');
  } else if (header !== undefined && (!HEADER_NAME.test(header) || OWN_HEADERS.test(header))) {
    report.at(
      node,
      `A document cannot read the header "${header}".`,
      'HTTP and the gateway reserve this name. Use a custom header, for example `@in(header: "X-Region")`.',
    );
  } else if (path !== undefined && !parametersOf(endpoint.template).includes(path)) {
    report.at(
      node,
      `The path has no parameter {${path}}.`,
      `Its parameters are: ${
        parametersOf(endpoint.template)
          .map((parameter) => `{${parameter}}`)
          .join(', ') || 'none'
      }.`,
    );
  } else if (query !== undefined && RESERVED.has(query)) {
    report.at(node, `The query parameter "${query}" is reserved.`, 'Choose another name, or use @page or @sort for pagination or sorting.');
  } else if (query !== undefined && SECRET.test(query)) {
    report.at(node, `The query parameter "${query}" would put a secret into the URL.`, 'Send secrets in headers, because URLs are logged.');
  }
}
