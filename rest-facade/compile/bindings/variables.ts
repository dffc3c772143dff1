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

/** A variable with its type, as all the compilers of bindings see it. */
export interface TypedVariable {
  readonly node: VariableDefinitionNode;
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The type without `!`. */
  readonly nullable: GraphQLInputType;
  /** Whether clients must give it. */
  readonly isRequired: boolean;
}

/** The variables of an operation that has passed validation. */
export function readTypedVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly TypedVariable[] {
  return (operation.variableDefinitions ?? []).flatMap((node) => {
    const type = typeFromAST(schema, node.type);
    if (!isInputType(type)) return []; // validation has told
    const isRequired = isNonNullType(type) && node.defaultValue === undefined;
    return [{ node, name: node.variable.name.value, type, nullable: isNonNullType(type) ? type.ofType : type, isRequired }];
  });
}

/** Parameters with a meaning of their own, and names under which secrets would come: never a document's to give away. */
const RESERVED = new Set(['page', 'size', 'limit', 'first', 'after', 'sort', 'fields', 'version', 'count']);
const SECRET = /^(?:.*token|api_?key|password|secret|authorization)$/i;

const HEADER_NAME = /^[a-z0-9-]+$/;
/** What HTTP, the gateway and the facade go by themselves, and what carries credentials. */
const OWN_HEADERS =
  /^(?:accept.*|authorization|cookie|connection|content-.*|date|expect|host|if-.*|idempotency-key|last-event-id|origin|prefer|proxy-.*|range|sec-.*|te|trailer|transfer-encoding|upgrade|x-api-key|x-correlation-id|x-forwarded-.*)$/;

/** Every variable comes from exactly one place, and no two from the same. */
export function checkVariables(variables: readonly TypedVariable[], endpoint: Endpoint, report: ProblemReport): void {
  const taken = new Set<string>();
  for (const { node, name } of variables) {
    const sources = (['in', 'body', 'page', 'sort', 'idempotencyKey', 'ifMatch'] as const).filter(
      (directive) => useOf(node, directive) !== undefined,
    );
    if (sources.length === 0) {
      report.at(node, `$${name} comes from nowhere.`, 'Give it one of @in, @body, @page, @sort, @idempotencyKey, @ifMatch.');
    } else if (sources.length > 1) {
      report.at(node, `$${name} comes from several places: ${sources.map((source) => `@${source}`).join(', ')}.`, 'Leave one of them.');
    }
    const source = useOf(node, 'in')?.values;
    if (source === undefined) {
      const integer = useOf(node, 'integer');
      if (integer !== undefined)
        report.at(
          integer.node,
          `@integer says nothing about $${name} here.`,
          'It goes with @in; a body names its integers in `@body(integers: […])`.',
        );
      continue;
    }
    const places = { path: source.path ?? undefined, query: source.query ?? undefined, header: source.header?.toLowerCase() };
    checkSource({ node, name, ...places }, endpoint, report);
    const key = places.path === undefined ? (places.query ?? `the header ${places.header ?? ''}`) : `{${places.path}}`;
    if (taken.has(key))
      report.at(node, `Two variables are read from ${key}.`, 'One variable can be used in several places of the operation.');
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
  if ([path, query, header].filter((place) => place !== undefined).length !== 1) {
    report.at(node, `@in of $${name} names one place.`, 'Write `@in(path: "…")`, `@in(query: "…")` or `@in(header: "…")`.');
  } else if (header !== undefined && (!HEADER_NAME.test(header) || OWN_HEADERS.test(header))) {
    report.at(node, `The header "${header}" is not a document's to read.`, 'Read headers of your own: `@in(header: "X-Region")`.');
  } else if (path !== undefined && !parametersOf(endpoint.template).includes(path)) {
    report.at(
      node,
      `The path has no parameter {${path}}.`,
      `It has ${
        parametersOf(endpoint.template)
          .map((parameter) => `{${parameter}}`)
          .join(', ') || 'none'
      }.`,
    );
  } else if (query !== undefined && RESERVED.has(query)) {
    report.at(
      node,
      `The parameter "${query}" has a meaning of its own.`,
      'Choose another name, or @page or @sort where that is what you mean.',
    );
  } else if (query !== undefined && SECRET.test(query)) {
    report.at(node, `"${query}" would carry a secret in an address.`, 'Secrets travel in headers; addresses are logged.');
  }
}
