import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  isInterfaceType,
} from 'graphql';
import { findDeferrals } from '../planning/deferrals.ts';
import type { OperationPlan } from '../planning/operation-plan.ts';
import type { GuardedFields } from '../authorisation/guarded-fields.ts';
import { compileEventSource } from './compile-event-source.ts';
import { compileDeferred, labelOf } from './compile-deferred.ts';
import type { ExecutableOperation, ExecutionOutcome } from './executable-operation.ts';
import { compilePlan } from './plan/compile-plan.ts';
import { fragmentsOf } from '../operation/select-operation.ts';
import { compileResponseShape } from './response/shape/compile-response-shape.ts';
import { makeOutcome } from './response/print/print-response.ts';
import type { ShapesGrown } from './response/shape/shape-table.ts';
import { createOpeningsCache } from './response/print/field-prefixes.ts';
import { runPlan } from './run/run-plan.ts';
import { createRunState } from './run/run-state.ts';

/** What an operation is compiled from. */
export interface CompileOperationInput {
  readonly plan: OperationPlan;
  /** The public schema: it decides what the client may see and what may be null. */
  readonly schema: GraphQLSchema;
  /** A document that is valid against `schema`; its fragments are used. */
  readonly document: DocumentNode;
  /** The operation of `document` to run, which the plan is for. */
  readonly operation: OperationDefinitionNode;
  /** Values of the variables in `@skip` and `@include`, and in `@defer` where it counts, that the plan is for. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /**
   * Whether what stands under `@defer` comes later than the rest; the plan must be for the same.
   *
   * @defaultValue false: it comes with the rest
   */
  readonly isDeferring?: boolean;
  /** Where not everybody may see all: what the plan is for, and what of `document` is guarded. @defaultValue all may see all */
  readonly access?: CompileAccess | undefined;
  /**
   * Errors in one answer; what is beyond is left out and one further entry says so.
   *
   * @unit entries
   * @defaultValue 500
   */
  readonly maxErrors?: number;
  /** Called while responses are printed: shapes of further types are compiled when their first values come. @defaultValue nobody is called */
  readonly onGrown?: ShapesGrown | undefined;
}

/** An operation of which some may see less than it asks for. */
export interface CompileAccess {
  /** What is planned: `document` without what is denied, and with what tells owners. Its `@defer` are the same nodes. */
  readonly planned: DocumentNode;
  readonly guarded: GuardedFields;
}

/** Compiles an operation and its plan into something that is run without looking at either again. */
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
  const rules = { shape, openings: createOpeningsCache(), maxErrors, isDeferring: directives.length > 0 };
  if (rules.isDeferring) return compileDeferred({ plan, rules, labels: directives.map(labelOf) });
  return {
    ...(input.plan.kind === 'subscription' ? { source: compileEventSource(plan) } : {}),
    execute(run): Promise<ExecutionOutcome> {
      const state = createRunState(plan, run);
      return runPlan(plan, state).then(() => {
        const { data, errors } = makeOutcome(state, rules);
        return { data, errors };
      });
    },
  };
}

/** As they are numbered in the plan: what is denied is not planned. */
function deferralsOf(
  { access, operation, conditions }: CompileOperationInput,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly DirectiveNode[] {
  if (access === undefined) return findDeferrals(operation.selectionSet, fragments, conditions);
  const { definitions } = access.planned;
  const planned = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return planned === undefined ? [] : findDeferrals(planned.selectionSet, fragmentsOf(access.planned), conditions);
}
