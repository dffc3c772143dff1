import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, getVariableValues, parse, visit } from 'graphql';
import { compileOperation } from '../../gateway/execution-next/compile-operation.ts';
import { createQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../gateway/planning/operation-plan.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';

/** What a client sees. */
export interface EngineAnswer {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly code: string; readonly path?: readonly (string | number)[] }[];
}

/** One operation for the engine. */
export interface EngineRequest {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Absent where the text has one operation. */
  readonly operationName?: string | undefined;
  /** Labels of `@override` that are on. */
  readonly labels: readonly string[];
  readonly executor: SubgraphExecutor;
}

/** What an engine is made from. */
export interface EngineInput {
  readonly supergraphSdl: string;
  /** The public schema of the supergraph; resolvers in it mean nothing here. */
  readonly schema: GraphQLSchema;
}

/** An engine that has read a supergraph. */
export interface Engine {
  /** @throws Error when it gives no answer at all */
  answer(request: EngineRequest): Promise<EngineAnswer>;
  /** What it is going to do, for people. */
  explain(request: Omit<EngineRequest, 'executor'>): string;
}

interface Prepared {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly plan: OperationPlan;
}

/** The engine under test: this file is all that the tests of random graphs know of it. */
export function createEngine({ supergraphSdl, schema }: EngineInput): Engine {
  const planner = createQueryPlanner(supergraphSdl);

  function prepare({ text, operationName, variables, labels }: Omit<EngineRequest, 'executor'>): Prepared {
    const document = parse(text);
    const operation = selectOperation(document, operationName);
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...variables });
    if (coerced === undefined) throw new Error(`Variables do not fit: ${String(errors)}`);
    const conditions = Object.fromEntries(conditionVariables(document).map((name) => [name, coerced[name] === true]));
    // As the plan comes from the planner's thread: plain data.
    const plan = structuredClone(
      planner.plan({ document: text, conditions, labels, ...(operationName !== undefined && { operationName }) }),
    );
    return { document, operation, coerced, conditions, plan };
  }

  return {
    async answer({ executor, ...request }) {
      const { document, operation, coerced, conditions, plan } = prepare(request);
      const outcome = await compileOperation({ plan, schema, document, operation, conditions }).execute({
        variables: coerced,
        context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
        executor,
        signal: new AbortController().signal,
      });
      return { data: JSON.parse(outcome.data), errors: outcome.errors };
    },
    explain: (request) => JSON.stringify(prepare(request).plan, null, 1),
  };
}

function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function selectOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const found = document.definitions.find((definition): definition is OperationDefinitionNode => {
    return definition.kind === Kind.OPERATION_DEFINITION && (name === undefined || definition.name?.value === name);
  });
  if (found === undefined) throw new Error('No such operation.');
  return found;
}
