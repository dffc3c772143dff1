import { createHash } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { compileWholeAccess, compileWholeGrant, type OperationAuthorization } from '../authorization/operation-authorization.ts';
import { printUsed } from '../authorization/print-used.ts';
import type { GuardedFields } from '../authorization/guarded-fields.ts';
import type { CachePolicyOf, OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import { createWrittenLabels } from '../cache/written-labels.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import { bindVariables, type CanonicalOperation, type DeferConditions } from '../operation/normalize/canonical-operation.ts';
import { coerceVariables } from '../operation/variables/coerce-variables.ts';
import { type ActualCost, compileActualCost } from '../operation/cost/actual-cost.ts';
import { compileCost } from '../operation/cost/compile-cost.ts';
import { createCostModel } from '../operation/cost/cost-model.ts';
import { OperationRejected } from '../operation/operation-rejected.ts';
import { findMostExpensiveList } from '../operation/cost/most-expensive-list.ts';
import { costModeFor, modeOf } from '../operation/limits/limit-mode.ts';
import { parseDocument } from '../operation/parse-document.ts';
import { selectOperation } from '../operation/select-operation.ts';
import type { OperationPlan } from '../planning/operation-plan.ts';
import { OperationUnplannable } from '../planning/query-planner.ts';
import { PlanningTooLong } from '../planning/worker/planning-too-long.ts';
import type { PlannerHost } from '../planning/worker/planner-host.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS } from '../platform/principal.ts';
import { createOwnersOf } from '../supergraph/owners-of.ts';
import type { SubgraphState } from '../subgraph-client/subgraph-state.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import { readOverrideLabels } from '../supergraph/supergraph-labels.ts';
import type { UsableSupergraph } from '../supergraph/usable-supergraph.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { Generation, UsedOperation } from './generation.ts';
import { createSharedOperations, mostUsedOf } from './shared-operations.ts';
import { createOverriddenFields } from './overridden-fields.ts';
import { createSampleExecutor } from './sample-responses.ts';
import { createDocumentPreparation, type PreparationSettings, type IsolatedOperation } from './prepare-documents.ts';
import type { PlanningCaller, ExecutionCaller, OperationCaching, PreparedOperation } from './prepared-operation.ts';
import { bytesOfShapes, bytesOfVariant } from './retained-bytes.ts';
import type { SharedOperation } from './shared-operation.ts';
import { createVariants, type MadeVariant } from './variants.ts';
import { type VariantDecisions, readVariantKey, variantKeyOf } from './variant-key.ts';

/** Input for compiling an operation. */
export interface CompileInput {
  readonly plan: OperationPlan;
  /** The public schema. */
  readonly schema: GraphQLSchema;
  /** The canonical operation as the only definition of a document. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Values of the conditions that the plan was created for. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** Whether fragments with `@defer` are delivered later. @defaultValue false */
  readonly isDeferring?: boolean;
  /** The planned document and its guarded fields. @defaultValue All callers are permitted to see all fields. */
  readonly access?: { readonly planned: DocumentNode; readonly guarded: GuardedFields } | undefined;
  /** Called with the number of fields that were compiled for values of further types, each time it has grown notably. */
  readonly onGrown?: (fields: number) => void;
}

/** Dependencies of a generation. Planner and executor are disposed of together with it. */
export interface GenerationDependencies {
  readonly loaded: Pick<LoadedSupergraph, 'id' | 'sdl' | 'schema' | 'costRules'> &
    Partial<Pick<UsableSupergraph, 'subgraphs' | 'graph' | 'listOwners' | 'overrideLabels'>>;
  readonly planner: Pick<PlannerHost, 'plan'> & AsyncDisposable;
  readonly executor: SubgraphExecutor & AsyncDisposable;
  readonly compile: (input: CompileInput) => ExecutableOperation;
  /** Returns the cache policy of an operation. @defaultValue Responses are not cached. */
  readonly cachePolicyOf?: CachePolicyOf | undefined;
  /** Returns the authorization rules of an operation. @defaultValue All callers are permitted to see all fields. */
  readonly authorizationOf?: ((document: DocumentNode) => OperationAuthorization | undefined) | undefined;
  /** Returns a key for the caller that waits for a plan, so that callers take turns. @defaultValue All requests have the same key. */
  readonly callerOf?: ((planningCaller: PlanningCaller) => string) | undefined;
  /** Returns the state of each subgraph. @defaultValue The states are unknown. */
  readonly subgraphStates?: (() => readonly SubgraphState[]) | undefined;
  readonly settings: PreparationSettings;
  readonly logger: Logger;
}

/** Maximum number of cached variants of one operation. A client can try all combinations of conditions and labels. @unit variants */
const MAX_VARIANTS = 64;

const PLAN_SHARE = 0.75;

/** Maximum share of the plan memory for the variants of one operation, so that one document does not evict all others. */
const VARIANTS_SHARE = 0.125;

const NO_LABELS: readonly string[] = [];

const NEVER = new AbortController().signal;

const NO_CALLER: ExecutionCaller = {};

/** Dependencies for compiling a variant: its waiting callers and the callback for memory accounting. */
interface VariantBuild {
  readonly callers: ReadonlySet<string>;
  readonly onGrown: (bytes: number) => void;
}

export function createGeneration(dependencies: GenerationDependencies): Generation {
  const { loaded, planner, executor, compile, cachePolicyOf, authorizationOf, callerOf, settings, logger } = dependencies;
  const { id, schema } = loaded;
  const variableSettings = { maxDepth: settings.maxVariableDepth, maxErrors: settings.maxErrors };
  const overridden = createOverriddenFields(loaded.overrideLabels ?? readOverrideLabels(loaded.sdl), schema);
  const ownersOf = loaded.graph && createOwnersOf(loaded.graph);
  const writtenLabelsOf = createWrittenLabels(schema, loaded.listOwners);
  const costModel = createCostModel(schema, loaded.costRules, settings.limits.slicingArguments);
  const isCounted = loaded.costRules.weights.size > 0;
  const listSizes = { ...settings.limits, isPageSizeEnforced: modeOf(settings.limits, 'pageSize') === 'enforce' };
  const maxBytes = Math.max(1, Math.floor(settings.maxCachedOperationBytes * PLAN_SHARE));
  const operations = createSharedOperations({ maxEntries: settings.maxCachedOperations, maxBytes });
  const documents = createDocumentPreparation({
    schema,
    settings,
    supergraphId: id,
    logger,
    isKnownValid: (text) => operations.find(text) !== undefined,
    take,
  });

  /** Creates the operation of one client on top of the shared operation. */
  function take(taken: IsolatedOperation): PreparedOperation {
    const { canonical, operation, isIntrospecting, isTransient } = taken;
    const { aliases, literals, variables, defer } = canonical;
    const declared = { variableDefinitions: operation.variableDefinitions ?? [] };
    const hasVariables = declared.variableDefinitions.length > 0;
    let shared = operations.find(canonical.text) ?? share(taken);
    if (taken.isOwned) shared.isOwned = true;
    return {
      kind: operation.operation,
      ...(taken.operationName === undefined ? {} : { name: taken.operationName }),
      isIntrospecting,
      ...(aliases.size > 0 ? { aliases, isTransient } : {}),
      labels: shared.labels,
      ...(shared.authorization === undefined ? {} : { authorization: shared.authorization }),
      ...(shared.cachePolicy === undefined ? {} : { caching: cachingOf(shared.cachePolicy, canonical) }),
      ...(shared.writtenLabels === undefined ? {} : { writtenLabels: shared.writtenLabels }),
      ...(operation.operation === OperationTypeNode.SUBSCRIPTION ? { streamId: idOf(canonical) } : {}),
      ...(defer === undefined ? {} : { isDeferred: (values) => isDeferred(defer, values) }),
      coerceVariables(raw) {
        return hasVariables ? bindVariables({ literals, variables }, coerceVariables(schema, declared, raw, variableSettings)) : literals;
      },
      cost: costOf(shared, canonical),
      mostExpensiveList: (values) => shared.mostExpensiveList(values),
      worstCost: () => shared.cost.estimate(undefined),
      isCounted,
      actualCost: (data, values) => shared.actualCost()({ data, variables: values, aliases }),
      executable(
        values,
        labels,
        isDeferring = false,
        { access = shared.authorization?.decide(ANONYMOUS) ?? '', planningCaller } = NO_CALLER,
      ) {
        shared = operations.use(shared);
        return variantOf(shared, variantKeyOf(canonical, { values, labels, isDeferring, access }), planningCaller);
      },
    };
  }

  function share({ canonical, operation, isIntrospecting, document, operationName, isOwned }: IsolatedOperation): SharedOperation {
    const { text, conditions, defer } = canonical;
    const parsed = parseCanonical(text);
    let actualCost: ActualCost | undefined;
    const shared: SharedOperation = {
      kind: operation.operation,
      isIntrospecting,
      text,
      labels: overridden.labelsOf(parsed),
      cachePolicy: cachePolicyOf?.(parsed),
      writtenLabels: operation.operation === OperationTypeNode.MUTATION ? writtenLabelsOf(parsed) : undefined,
      authorization: authorizationOf?.(parsed),
      variants: createVariants({
        maxVariants: MAX_VARIANTS,
        maxBytes: maxBytes * VARIANTS_SHARE,
        isFinal,
        onGrown: () => operations.recountBytes(shared),
      }),
      cost: compileCost(parsed, selectOperation(parsed), costModel, listSizes),
      actualCost: () => (actualCost ??= actualCostOf(text)),
      mostExpensiveList(values) {
        const reparsed = parseCanonical(text);
        return findMostExpensiveList({ document: reparsed, operation: selectOperation(reparsed) }, values, costModel, listSizes);
      },
      conditions: conditions.map(({ canonicalName }) => canonicalName),
      deferConditions: defer?.variables.map(({ canonicalName }) => canonicalName) ?? [],
      sample: { document, ...(operationName === undefined ? {} : { operationName }) },
      parsed: new WeakRef(parsed),
      isOwned,
    };
    return operations.use(shared);
  }

  function actualCostOf(text: string): ActualCost {
    const parsed = parseCanonical(text);
    return compileActualCost(parsed, selectOperation(parsed), costModel);
  }

  function variantOf(
    shared: SharedOperation,
    key: string,
    planningCaller: PlanningCaller | undefined,
  ): ExecutableOperation | Promise<ExecutableOperation> {
    const made = shared.variants.made(key);
    if (made !== undefined) return made;
    const caller = planningCaller === undefined ? '' : callerOf?.(planningCaller);
    return shared.variants.get(key, (callers, onGrown) => makeVariant(shared, key, { callers, onGrown }), caller);
  }

  async function makeVariant(shared: SharedOperation, key: string, { callers, onGrown }: VariantBuild): Promise<MadeVariant> {
    const { text, sample } = shared;
    const { access, ...decisions } = readVariantKey(shared, key);
    try {
      const planned = access === undefined ? planWhole(shared) : planAllowed(shared, access);
      const plan = await planner.plan({ document: planned.text, ...decisions }, undefined, callers);
      return { executable: compilePlanned(planned, plan, { ...decisions, onGrown }), bytes: bytesOfVariant(plan, text) };
    } catch (error) {
      if (error instanceof OperationUnplannable) {
        const { cause, coordinate } = error;
        const facts = {
          err: cause,
          operation: sample.operationName ?? null,
          supergraph: id,
          ...(coordinate === undefined ? {} : { coordinate }),
        };
        logger.error(facts, 'An operation cannot be planned. All requests for it fail. Only the first failure is logged.');
      }
      throw error;
    }
  }

  function compilePlanned(
    { document, access }: PlannedDocument,
    plan: OperationPlan,
    { conditions, isDeferring = false, onGrown }: VariantDecisions & Pick<VariantBuild, 'onGrown'>,
  ): ExecutableOperation {
    try {
      return compile({
        plan,
        schema,
        document,
        operation: selectOperation(document),
        conditions,
        isDeferring,
        access,
        onGrown: (fields) => onGrown(bytesOfShapes(fields)),
      });
    } catch (error) {
      throw error instanceof GatewayError ? error : new OperationUnplannable(error);
    }
  }

  async function warmOne({
    document,
    operationName,
    conditions = {},
    labels = NO_LABELS,
    isDeferring = false,
    access,
  }: UsedOperation): Promise<void> {
    try {
      await documents.prepareInSteps(document, nextIteration);
      const prepared = documents.operation(document, operationName);
      await nextIteration();
      await prepared.executable(
        conditions,
        (prepared.labels ?? NO_LABELS).filter((label) => labels.includes(label)),
        isDeferring,
        { access: access === undefined ? '' : prepared.authorization?.keyOf(access) },
      );
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error; // This supergraph rejects the operation or cannot plan it, so it is skipped.
    }
  }

  return {
    id,
    schema,
    executor,
    subgraphStates: dependencies.subgraphStates,
    costMode: costModeFor(loaded.costRules, settings.limits),
    ...(settings.limits.maxCost === undefined ? {} : { maxCost: settings.limits.maxCost }),
    ...(loaded.subgraphs === undefined ? {} : { subgraphs: loaded.subgraphs }),
    ...(ownersOf === undefined ? {} : { ownersOf }),
    prepare: (document) => documents.document(document),
    accessOf: (document) => compileWholeAccess(authorizationOf?.(documents.document(document).document)),
    grantOf: (document) => compileWholeGrant(authorizationOf?.(documents.document(document).document)),
    isPrepared: documents.isKnown,
    prepareOperation: (document, operationName, recorder) => documents.operation(document, operationName, recorder),
    mostUsed: (limit) => mostUsedOf(operations.all(), limit),
    async warm(entries, signal) {
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      for (const entry of entries) {
        await nextIteration(); // Requests on the current generation are processed between two operations.
        if (signal.aborted) return;
        await Promise.race([warmOne(entry), ended]);
      }
    },
    async exercise(document, context) {
      try {
        const { aliases, ...prepared } = documents.operation(document);
        const executable = await prepared.executable({}, NO_LABELS);
        await executable.execute({ variables: {}, context, executor: createSampleExecutor(schema), signal: NEVER, aliases });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error; // The supergraph rejects the operation or cannot plan it.
      } finally {
        for (const text of documents.forget(document)) operations.forget(text);
      }
    },
    async [Symbol.asyncDispose]() {
      documents.clear();
      operations.clear();
      await planner[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}

/** A document and the text of the document that is planned. */
interface PlannedDocument {
  readonly document: DocumentNode;
  readonly text: string;
  readonly access?: CompileInput['access'];
}

/** Plans the whole operation. */
function planWhole(shared: SharedOperation): PlannedDocument {
  return { document: takeParsed(shared), text: shared.text };
}

/** Returns the parsed text of an operation. No two variants share a document. */
function takeParsed(shared: SharedOperation): DocumentNode {
  const parsed = shared.parsed?.deref();
  shared.parsed = undefined;
  return parsed ?? parseCanonical(shared.text);
}

/** Plans an operation for callers without permission to see all of it. */
function planAllowed(shared: SharedOperation, key: string): PlannedDocument {
  const { authorization } = shared;
  const document = takeParsed(shared);
  if (authorization === undefined) throw new Error('Permissions were decided for an operation without authorization rules.');
  const { requested, cut, guarded } = authorization.rewrite(document, selectOperation(document), key);
  return { text: printUsed(cut), document: requested, access: { planned: cut, guarded } };
}

/**
 * Returns the cost function for one client's operation. Its literals are known, so the cost is constant unless it depends on client
 * variables.
 */
function costOf({ cost }: SharedOperation, { literals, variables }: CanonicalOperation): PreparedOperation['cost'] {
  if (variables.some(({ canonicalName }) => cost.variables.has(canonicalName))) return cost.estimate;
  let constant: number | undefined;
  return () => (constant ??= cost.estimate(literals));
}

function cachingOf(policy: OperationCachePolicy, canonical: CanonicalOperation): OperationCaching {
  return { policy, id: idOf(canonical) };
}

/** Returns an ID of the operation. It includes the aliases, because the response is printed with them. */
function idOf({ text, aliases }: CanonicalOperation): string {
  return createHash('sha256')
    .update(JSON.stringify([text, [...aliases]]))
    .digest('base64url');
}

/** Parses a canonical text without a token limit. The original was within the limit, and the canonical text can have a few more tokens. */
function parseCanonical(text: string): DocumentNode {
  return parseDocument(text, { maxTokens: Number.MAX_SAFE_INTEGER, noLocation: true });
}

function isDeferred({ isAlways, variables }: DeferConditions, values: Readonly<Record<string, unknown>>): boolean {
  return isAlways || variables.some(({ canonicalName }) => !Object.hasOwn(values, canonicalName) || values[canonicalName] !== false);
}

/** Whether a failure depends only on the operation and the supergraph, so that a retry is useless. */
function isFinal(error: unknown): boolean {
  if (error instanceof PlanningTooLong) return false;
  return error instanceof OperationRejected || error instanceof OperationUnplannable;
}
