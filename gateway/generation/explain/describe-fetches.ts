import { type DirectiveNode, isInterfaceType, parse, print } from 'graphql';
import { labelOf } from '../../execution/compile-deferred.ts';
import { compilePlan } from '../../execution/plan/compile-plan.ts';
import type { RequestText } from '../../execution/plan/compiled-plan.ts';
import type { VirtualSubgraph } from '../../connectors/expand/virtual-subgraph.ts';
import type { CompileInput } from '../create-generation.ts';
import { fragmentsOf, selectOperation } from '../../operation/select-operation.ts';
import { findDeferrals } from '../../planning/deferrals.ts';
import { type DescribedHttp, describeHttp } from './describe-http.ts';
import type { EntityLookup, PlannedFetch, PlanPathStep, RepresentationField } from '../../planning/operation-plan.ts';

/** One request of a plan to a subgraph. */
export interface DescribedFetch {
  /** Number of the request, starting at 1. */
  readonly id: number;
  readonly subgraph: string;
  readonly kind: PlannedFetch['kind'];
  /** 1 for requests that begin at once. Each other request begins one step after the last of those it waits for. */
  readonly step: number;
  /** Numbers of the requests that it waits for. */
  readonly after: readonly number[];
  /** The `@defer` whose incremental payload needs the request; absent if the initial response needs it. */
  readonly defer?: { readonly number: number; readonly label: string | null };
  /** Text of the operation that the subgraph receives, formatted. */
  readonly operation: string;
  readonly variables: readonly DescribedVariable[];
  /** Response path of the objects that receive the result; absent for the root. */
  readonly path?: string;
  /** Entities that are sent as representations. Empty for a request that selects from the root type. */
  readonly entities: readonly DescribedEntities[];
  /** HTTP requests of the connector that executes the request; absent for a subgraph. */
  readonly http?: DescribedHttp;
}

/** A variable of a request whose value comes from the client's operation. */
export interface DescribedVariable {
  /** Name in the request. */
  readonly name: string;
  /** Name in the client's operation; null for a literal. */
  readonly from: string | null;
  /** Value; absent if it is unknown or not set. */
  readonly value?: unknown;
}

/** Objects that one `_entities` field of a request looks up. */
export interface DescribedEntities {
  /** Response paths of the objects. Items of lists are separate objects. */
  readonly paths: readonly string[];
  readonly representations: readonly {
    /** `__typename` of the representation. */
    readonly type: string;
    /** Fields of the representation, from keys and `@requires`. */
    readonly fields: string;
  }[];
}

/** Values of the variables, and their names in the client's operation. */
export interface DescribedValues {
  /** Names in the client's operation, by those in the normalized operation. Variables for literals are absent. */
  readonly clientNames: ReadonlyMap<string, string>;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Describes the requests of a plan, with the texts that the compiled plan sends.
 *
 * @param connectors virtual subgraphs by name. @defaultValue none
 */
export function describeFetches(
  input: CompileInput,
  values: DescribedValues,
  connectors: ReadonlyMap<string, VirtualSubgraph> = new Map(),
): readonly DescribedFetch[] {
  const { fetches } = input.plan;
  const { plan } = compilePlan({
    plan: input.plan,
    isInterface: (typename) => isInterfaceType(input.schema.getType(typename)),
    clientVariables: new Set((input.operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
  });
  const deferrals = deferralsOf(input);
  const described: DescribedFetch[] = [];
  for (const [index, fetch] of fetches.entries()) {
    const text = plan.fetches[index]?.request.texts.whole;
    if (text === undefined) throw new Error('A planned request has no text.');
    const step = 1 + Math.max(0, ...fetch.dependsOn.map((other) => described[other]?.step ?? 0));
    described.push(describeFetch(fetch, { id: index + 1, step, text, deferrals, values, connectors }));
  }
  return described;
}

interface FetchContext extends Pick<DescribedFetch, 'id' | 'step'> {
  readonly text: RequestText;
  readonly deferrals: readonly DirectiveNode[];
  readonly values: DescribedValues;
  readonly connectors: ReadonlyMap<string, VirtualSubgraph>;
}

function describeFetch(
  { subgraph, kind, dependsOn, deferral, path, lookups = [] }: PlannedFetch,
  { id, step, text, deferrals, values, connectors }: FetchContext,
): DescribedFetch {
  const virtual = connectors.get(subgraph);
  const directive = deferral === undefined ? undefined : deferrals[deferral - 1];
  return {
    id,
    subgraph,
    kind,
    step,
    after: dependsOn.map((other) => other + 1),
    ...(deferral === undefined ? {} : { defer: { number: deferral, label: (directive && labelOf(directive)) ?? null } }),
    operation: operationOf(text),
    variables: text.variables.map((name) => describeVariable(name, values)),
    ...(path === undefined ? {} : { path: printPath(path) }),
    entities: lookups.map(describeLookup),
    ...(virtual === undefined ? {} : { http: describeHttp(virtual, lookups.length > 0) }),
  };
}

function describeVariable(name: string, { clientNames, values }: DescribedValues): DescribedVariable {
  const from = clientNames.get(name) ?? null;
  return Object.hasOwn(values, name) ? { name, from, value: values[name] } : { name, from };
}

/** Reads the operation from the start of the JSON text of a request. */
function operationOf({ prefix }: RequestText): string {
  const { query } = JSON.parse(`${prefix}}}`) as { readonly query: string };
  return print(parse(query));
}

function deferralsOf({ isDeferring = false, access, document, conditions }: CompileInput): readonly DirectiveNode[] {
  if (!isDeferring) return [];
  const planned = access?.planned ?? document; // Denied fields are not planned.
  return findDeferrals(selectOperation(planned).selectionSet, fragmentsOf(planned), conditions);
}

function describeLookup({ paths, representations }: EntityLookup): DescribedEntities {
  return {
    paths: paths.map(printPath),
    representations: representations.map(({ typename, fields }) => ({ type: typename, fields: fields.map(printField).join(' ') })),
  };
}

/** Prints a path with the response keys of the requests. Types in brackets restrict the objects that are followed. */
function printPath(path: readonly PlanPathStep[]): string {
  return path.map(({ key, types }) => (types === undefined ? key : `${key}[${types.join('|')}]`)).join('.');
}

function printField({ name, fields }: RepresentationField): string {
  return fields === undefined ? name : `${name} { ${fields.map(printField).join(' ')} }`;
}
