import type { Supergraph } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { type PlanKeys, SAME_KEYS } from '../planning/plan-keys.ts';
import { fragmentsOf } from './collect-fields.ts';
import { compilePlan } from './compile-plan.ts';
import { compileResponseShape } from './compile-response-shape.ts';
import { conditionVariablesOf, readConditions } from './conditions.ts';
import type { ExecutableOperation, ExecutionOutcome } from './executable-operation.ts';
import { createLeftOut } from './left-out.ts';
import { type ResponseShape, makeOutcome } from './make-outcome.ts';
import type { RunState } from './run-state.ts';

/** What an operation is compiled from. */
export interface CompileOperationInput {
  readonly plan: QueryPlan;
  /** The public schema: it decides what the client may see and what may be null. */
  readonly schema: GraphQLSchema;
  /** Knows the types that the public schema hides, which representations may name. */
  readonly supergraph: Supergraph;
  /** The client's document, valid against `schema`; its fragments are used. */
  readonly document: DocumentNode;
  /** The operation of `document` to run. */
  readonly operation: OperationDefinitionNode;
  /**
   * Response keys by which the plan knows others of the client's.
   *
   * @defaultValue none
   */
  readonly keys?: PlanKeys;
  /**
   * Errors in one answer; what is beyond is left out and one further entry says so.
   *
   * @unit entries
   * @defaultValue 500
   */
  readonly maxErrors?: number;
  /**
   * Shapes of the response that are kept: one for each combination of the variables in `@skip` and `@include` that occurs.
   *
   * @unit shapes
   * @defaultValue 64
   */
  readonly maxShapes?: number;
}

/**
 * Compiles an operation and its plan into something that is run without looking at either again.
 *
 * @throws Error when the plan is one of a subscription or has deferred parts
 * @throws GatewayError `BAD_USER_INPUT` when the client's variable has the name of one that the plan fills from the context
 */
export function compileOperation(input: CompileOperationInput): ExecutableOperation {
  const { plan, schema, supergraph, document, operation, keys = SAME_KEYS, maxErrors = 500, maxShapes = 64 } = input;
  const clientVariables = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
  const runPlan = compilePlan(supergraph.schema, plan, clientVariables);
  const fragments = fragmentsOf(document);
  const conditionNames = conditionVariablesOf(operation, fragments);
  const shapes = new Map<string, ResponseShape>();
  const shapeFor = (bits: string): ResponseShape => {
    let shape = shapes.get(bits);
    if (shape === undefined) {
      const conditions = new Map(conditionNames.map((name, index) => [name, bits[index] === '1']));
      const scope = { schema, fragments, conditions };
      shape = { printData: compileResponseShape({ ...scope, operation, keys }), isLeftOut: createLeftOut(scope, operation) };
      // Bounded, oldest first: a client may try all combinations.
      if (shapes.size >= maxShapes) shapes.delete(shapes.keys().next().value ?? '');
      shapes.set(bits, shape);
    }
    return shape;
  };
  return {
    async execute(run): Promise<ExecutionOutcome> {
      const shape = shapeFor(readConditions(conditionNames, run.variables));
      const state: RunState = { run, data: {}, reports: [] };
      await runPlan(state);
      return makeOutcome(state, { ...shape, keys, maxErrors });
    },
  };
}
