import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  isInterfaceType,
} from 'graphql';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import { findDeferrals } from '../planning/deferrals.ts';
import type { OperationPlan } from '../planning/operation-plan.ts';
import type { GuardedFields } from '../authorization/guarded-fields.ts';
import { compileEventSource } from './compile-event-source.ts';
import { compileDeferred, labelOf } from './compile-deferred.ts';
import type { ExecutableOperation, ExecutionResult } from './executable-operation.ts';
import { compilePlan } from './plan/compile-plan.ts';
import { fragmentsOf } from '../operation/select-operation.ts';
import { compileResponseShape } from './response/shape/compile-response-shape.ts';
import { type FirstResult, makeResult, makeResultInSteps } from './response/print/print-response.ts';
import type { ShapesGrown } from './response/shape/shape-table.ts';
import { createFieldPrefixCache } from './response/print/field-prefixes.ts';
import { finishRun } from './run/finish-run.ts';
import { runPlan } from './run/run-plan.ts';
import { createRunState } from './run/run-state.ts';

/** Input of `compileOperation`. */
export interface CompileOperationInput {
  readonly plan: OperationPlan;
  /** The public schema. It determines which fields exist and which values can be null. */
  readonly schema: GraphQLSchema;
  /** A document that is valid against `schema`. Its fragments are used. */
  readonly document: DocumentNode;
  /** The operation of `document` that is executed and that the plan is for. */
  readonly operation: OperationDefinitionNode;
  /** Values of the variables in `@skip`, `@include` and active `@defer` directives that the plan is for. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /**
   * Whether fragments with `@defer` are delivered later. The plan must have been created with the same setting.
   *
   * @defaultValue false: They are part of the initial response.
   */
  readonly isDeferring?: boolean;
  /** Permissions that the plan and the fields of `document` depend on. @defaultValue All callers are permitted to see all fields. */
  readonly access?: CompileAccess | undefined;
  /**
   * Maximum number of errors in one response. Further errors are left out, and one additional entry says so.
   *
   * @unit entries
   * @defaultValue 500
   */
  readonly maxErrors?: number;
  /** Called while responses are printed. Shapes of further types are compiled when their first values arrive. @defaultValue No callback. */
  readonly onGrown?: ShapesGrown | undefined;
}

/** Authorization data of an operation of which some callers are not permitted to see all fields. */
export interface CompileAccess {
  /**
   * The planned document: `document` without the denied fields and with the fields that identify owners. Its `@defer` directives are the
   * same nodes.
   */
  readonly planned: DocumentNode;
  readonly guarded: GuardedFields;
}

/** Compiles an operation and its plan. Running the result reads neither of them again. */
export function compileOperation(input: CompileOperationInput): ExecutableOperation {
  const { schema, document, operation, conditions, maxErrors = 500 } = input;
  const clientVariables = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
  const isInterface = (typename: string): boolean => isInterfaceType(schema.getType(typename));
  const { plan, sharedPaths } = compilePlan({ plan: input.plan, isInterface, clientVariables });
  const fragments = fragmentsOf(document);
  const directives = input.isDeferring === true ? deferralsOf(input, fragments) : [];
  const deferrals = new Map(directives.map((directive, index) => [directive, index + 1]));
  const scope = { schema, fragments, conditions, deferrals };
  const shape = compileResponseShape({
    ...scope,
    operation,
    keys: input.plan.keys,
    sharedPaths,
    guarded: input.access?.guarded,
    onGrown: input.onGrown,
  });
  const rules = { shape, fieldPrefixes: createFieldPrefixCache(), maxErrors, isDeferring: directives.length > 0 };
  if (rules.isDeferring) return compileDeferred({ plan, rules, labels: directives.map(labelOf) });
  return {
    ...(input.plan.kind === 'subscription' ? { source: compileEventSource(plan) } : {}),
    execute(run): Promise<ExecutionResult> {
      const state = createRunState(plan, run);
      return runPlan(plan, state).then((): MaybePromise<ExecutionResult> => {
        if (state.isLarge) return finishRun(makeResultInSteps(state, rules), state).then(withoutRemoved);
        return withoutRemoved(makeResult(state, rules));
      });
    },
  };
}

function withoutRemoved({ data, errors, objects, longData }: FirstResult): ExecutionResult {
  return longData === undefined ? { data, errors, objects } : { data, errors, objects, longData };
}

/** Lists the `@defer` directives as they are numbered in the plan. Denied fields are not part of the plan. */
function deferralsOf(
  { access, operation, conditions }: CompileOperationInput,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly DirectiveNode[] {
  if (access === undefined) return findDeferrals(operation.selectionSet, fragments, conditions);
  const { definitions } = access.planned;
  const planned = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return planned === undefined ? [] : findDeferrals(planned.selectionSet, fragmentsOf(access.planned), conditions);
}
