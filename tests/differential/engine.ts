import { operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { type DocumentNode, Kind, type OperationDefinitionNode, getVariableValues, parse } from 'graphql';
import { compileOperation } from '../../gateway/execution/compile-operation.ts';
import { keepEmptyObjects } from '../../gateway/planning/keep-empty-objects.ts';
import { reservedKeysOf } from '../../gateway/planning/plan-keys.ts';
import { toPlannable } from '../../gateway/planning/plannable-document.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';

/** What a client sees. */
export interface EngineAnswer {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] | undefined }[];
}

/** One operation for the engine. */
export interface EngineRequest {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Labels of `@override` that are on. */
  readonly labels: readonly string[];
  readonly executor: SubgraphExecutor;
}

/** An engine that has read a supergraph. */
export interface Engine {
  /** @throws Error when it gives no answer at all */
  answer(request: EngineRequest): Promise<EngineAnswer>;
  /** What it is going to do, for people. */
  explain(request: Omit<EngineRequest, 'executor'>): string;
}

/** The engine under test: this file is all that the tests know of it. */
export function createEngine(supergraphSdl: string): Engine {
  const { supergraph, schema } = loadSupergraph(supergraphSdl);
  const planner = new QueryPlanner(supergraph);
  const reserved = reservedKeysOf(supergraph);
  const known = new Set([...supergraphSdl.matchAll(/overrideLabel: "([^"]+)"/g)].map(([, label]) => label ?? ''));

  function prepare({ text, labels }: { readonly text: string; readonly labels: readonly string[] }) {
    const document = parse(text);
    const operation = onlyOperation(document);
    const plannable = toPlannable(document, operation, reserved);
    const asked = operationFromDocument(supergraph.apiSchema(), keepEmptyObjects(plannable.document, schema));
    const overrideConditions = new Map([...known].map((label) => [label, labels.includes(label)]));
    const plan = planner.buildQueryPlan(asked, { overrideConditions });
    return { document, operation, plan, keys: plannable.keys };
  }

  return {
    async answer({ text, variables, labels, executor }) {
      const { document, operation, plan, keys } = prepare({ text, labels });
      const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...variables });
      if (coerced === undefined) throw new Error(`Variables do not fit: ${String(errors)}`);
      const outcome = await compileOperation({ plan, schema, supergraph, document, operation, keys }).execute({
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

function onlyOperation(document: DocumentNode): OperationDefinitionNode {
  const found = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (found === undefined) throw new Error('No operation.');
  return found;
}
