import { createHash } from 'node:crypto';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { compileWholeAccess, compileWholeGrant, type OperationAuthorisation } from '../authorisation/operation-authorisation.ts';
import { printUsed } from '../authorisation/print-used.ts';
import type { GuardedFields } from '../authorisation/guarded-fields.ts';
import type { CachePolicyOf, OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import { createWrittenLabels } from '../cache/written-labels.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import { bindVariables, type CanonicalOperation, type DeferConditions } from '../operation/normalize/canonical-operation.ts';
import { coerceVariables } from '../operation/variables/coerce-variables.ts';
import { type ActualCost, compileActualCost } from '../operation/cost/actual-cost.ts';
import { compileCost } from '../operation/cost/compile-cost.ts';
import { createCostModel } from '../operation/cost/cost-model.ts';
import { OperationRefused } from '../operation/errors.ts';
import { modeOf } from '../operation/limits/limit-mode.ts';
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
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { Generation, UsedOperation } from './generation.ts';
import { createSharedOperations, mostUsedOf } from './shared-operations.ts';
import { readOverriddenFields } from './overridden-fields.ts';
import { createDocumentPreparation, type PreparationSettings, type TakenOperation } from './prepare-documents.ts';
import type { AskingCaller, ExecutionCaller, OperationCaching, PreparedOperation } from './prepared-operation.ts';
import { bytesOfShapes, bytesOfVariant } from './retained-bytes.ts';
import type { SharedOperation } from './shared-operation.ts';
import { createVariants, type MadeVariant } from './variants.ts';
import { type VariantDecisions, readVariantKey, variantKeyOf } from './variant-key.ts';

/** What an operation is compiled from. */
export interface CompileInput {
  readonly plan: OperationPlan;
  /** The public schema. */
  readonly schema: GraphQLSchema;
  /** The canonical operation, alone in its document. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As they were decided for the plan. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** Whether what stands under `@defer` comes later than the rest. @defaultValue false */
  readonly isDeferring?: boolean;
  /** What was planned in its place, and what of it is guarded. @defaultValue all may see all */
  readonly access?: { readonly planned: DocumentNode; readonly guarded: GuardedFields } | undefined;
  /** Called with the number of fields that were compiled for values of further types, each time there are notably more. */
  readonly onGrown?: (fields: number) => void;
}

/** What a generation is put together from. Planner and executor are disposed with it. */
export interface GenerationParts {
  readonly loaded: Pick<LoadedSupergraph, 'id' | 'sdl' | 'schema' | 'costRules'> & Partial<Pick<LoadedSupergraph, 'subgraphs' | 'graph'>>;
  readonly planner: Pick<PlannerHost, 'plan'> & AsyncDisposable;
  readonly executor: SubgraphExecutor & AsyncDisposable;
  readonly compile: (input: CompileInput) => ExecutableOperation;
  /** Tells how long answers stay fresh. @defaultValue not at all */
  readonly cachePolicyOf?: CachePolicyOf | undefined;
  /** Tells who may see what of an operation. @defaultValue all may see all */
  readonly authorisationOf?: ((document: DocumentNode) => OperationAuthorisation | undefined) | undefined;
  /** Names who waits for a plan, so that callers take turns. @defaultValue all are one */
  readonly callerOf?: ((asking: AskingCaller) => string) | undefined;
  readonly settings: PreparationSettings;
  readonly logger: Logger;
}

/** Combinations of conditions and labels that are kept of one operation. A client may try all of them. @unit variants */
const MAX_VARIANTS = 64;

const PLAN_SHARE = 0.75;

/** Share of the memory for plans that the variants of one operation may take, so that one document does not evict all others. */
const VARIANTS_SHARE = 0.125;

const NO_LABELS: readonly string[] = [];

const NO_CALLER: ExecutionCaller = {};

/** Callbacks of a variant: for its waiters, and for the store that counts what it retains. */
interface VariantMaking {
  readonly callers: ReadonlySet<string>;
  readonly onGrown: (bytes: number) => void;
}

export function createGeneration(parts: GenerationParts): Generation {
  const { loaded, planner, executor, compile, cachePolicyOf, authorisationOf, callerOf, settings, logger } = parts;
  const { id, schema } = loaded;
  const variableSettings = { maxDepth: settings.maxVariableDepth, maxErrors: settings.maxErrors };
  const overridden = readOverriddenFields(loaded.sdl, schema);
  const writtenLabelsOf = createWrittenLabels(schema);
  const costModel = createCostModel(schema, loaded.costRules);
  const isWeighted = loaded.costRules.weights.size > 0;
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

  /** One client's operation on top of what it shares with others. */
  function take(taken: TakenOperation): PreparedOperation {
    const { canonical, operation, isIntrospecting, isPassing } = taken;
    const { aliases, literals, variables, defer } = canonical;
    const declared = { variableDefinitions: operation.variableDefinitions ?? [] };
    const hasVariables = declared.variableDefinitions.length > 0;
    let shared = operations.find(canonical.text) ?? share(taken);
    if (taken.isKept) shared.isKept = true;
    return {
      kind: operation.operation,
      isIntrospecting,
      ...(aliases.size > 0 ? { aliases, isPassing } : {}),
      labels: shared.labels,
      ...(shared.authorisation === undefined ? {} : { authorisation: shared.authorisation }),
      ...(shared.cachePolicy === undefined ? {} : { caching: cachingOf(shared.cachePolicy, canonical) }),
      ...(shared.writtenLabels === undefined ? {} : { writtenLabels: shared.writtenLabels }),
      ...(operation.operation === OperationTypeNode.SUBSCRIPTION ? { streamId: idOf(canonical) } : {}),
      ...(defer === undefined ? {} : { isDeferred: (values) => isDeferred(defer, values) }),
      coerceVariables(raw) {
        return hasVariables ? bindVariables({ literals, variables }, coerceVariables(schema, declared, raw, variableSettings)) : literals;
      },
      cost: costOf(shared, canonical),
      worstCost: () => shared.cost.estimate(undefined),
      isWeighted,
      actualCost: (data, values) => shared.actualCost()({ data, variables: values, aliases }),
      executable(values, labels, isDeferring = false, { access = shared.authorisation?.decide(ANONYMOUS) ?? '', asking } = NO_CALLER) {
        shared = operations.use(shared);
        return variantOf(shared, variantKeyOf(canonical, { values, labels, isDeferring, access }), asking);
      },
    };
  }

  function share({ canonical, operation, isIntrospecting, document, operationName, isKept }: TakenOperation): SharedOperation {
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
      authorisation: authorisationOf?.(parsed),
      variants: createVariants({
        maxVariants: MAX_VARIANTS,
        maxBytes: maxBytes * VARIANTS_SHARE,
        isFinal,
        onGrown: () => operations.weigh(shared),
      }),
      cost: compileCost(parsed, selectOperation(parsed), costModel, listSizes),
      actualCost: () => (actualCost ??= actualCostOf(text)),
      conditions: conditions.map(({ canonicalName }) => canonicalName),
      deferConditions: defer?.variables.map(({ canonicalName }) => canonicalName) ?? [],
      sample: { document, ...(operationName === undefined ? {} : { operationName }) },
      isKept,
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
    asking: AskingCaller | undefined,
  ): ExecutableOperation | Promise<ExecutableOperation> {
    const made = shared.variants.made(key);
    if (made !== undefined) return made;
    const caller = asking === undefined ? '' : callerOf?.(asking);
    return shared.variants.get(key, (callers, onGrown) => makeVariant(shared, key, { callers, onGrown }), caller);
  }

  async function makeVariant(shared: SharedOperation, key: string, { callers, onGrown }: VariantMaking): Promise<MadeVariant> {
    const { text, sample } = shared;
    const { access, ...decisions } = readVariantKey(shared, key);
    try {
      const planned = access === undefined ? undefined : planAllowed(shared, access);
      const plan = await planner.plan({ document: planned?.text ?? text, ...decisions }, undefined, callers);
      return { executable: compilePlanned(planned ?? planWhole(text), plan, { ...decisions, onGrown }), bytes: bytesOfVariant(plan, text) };
    } catch (error) {
      if (error instanceof OperationUnplannable) {
        const { cause, coordinate } = error;
        const facts = {
          err: cause,
          operation: sample.operationName ?? null,
          supergraph: id,
          ...(coordinate === undefined ? {} : { coordinate }),
        };
        logger.error(facts, 'An operation cannot be planned. It fails each time it is asked for; only this time it is logged.');
      }
      throw error;
    }
  }

  function compilePlanned(
    { document, access }: PlannedDocument,
    plan: OperationPlan,
    { conditions, isDeferring = false, onGrown }: VariantDecisions & Pick<VariantMaking, 'onGrown'>,
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
      const prepared = documents.operation(document, operationName);
      await prepared.executable(
        conditions,
        (prepared.labels ?? NO_LABELS).filter((label) => labels.includes(label)),
        isDeferring,
        { access: access === undefined ? '' : prepared.authorisation?.keyOf(access) },
      );
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error; // refused by this supergraph, or not to be planned: nothing to be warmed
    }
  }

  return {
    id,
    schema,
    executor,
    ...(loaded.subgraphs === undefined ? {} : { subgraphs: loaded.subgraphs }),
    ...(loaded.graph === undefined ? {} : { ownersOf: createOwnersOf(loaded.graph) }),
    prepare: (document) => documents.document(document),
    accessOf: (document) => compileWholeAccess(authorisationOf?.(documents.document(document).document)),
    grantOf: (document) => compileWholeGrant(authorisationOf?.(documents.document(document).document)),
    isPrepared: documents.isKnown,
    prepareOperation: (document, operationName) => documents.operation(document, operationName),
    mostUsed: (limit) => mostUsedOf(operations.all(), limit),
    async warm(entries, signal) {
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      for (const entry of entries) {
        if (signal.aborted) return;
        await Promise.race([warmOne(entry), ended]);
        await new Promise(setImmediate); // those who are served meanwhile come in between
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

/** A document, and what is planned in its place. */
interface PlannedDocument {
  readonly document: DocumentNode;
  readonly access?: CompileInput['access'];
}

function planWhole(text: string): PlannedDocument {
  return { document: parseCanonical(text) };
}

/** For those who may not see all of it. */
function planAllowed({ authorisation, text }: SharedOperation, key: string): PlannedDocument & { readonly text: string } {
  const document = parseCanonical(text);
  if (authorisation === undefined) throw new Error('Rights were decided of an operation that has no rules.');
  const { asked, cut, guarded } = authorisation.rewrite(document, selectOperation(document), key);
  return { text: printUsed(cut), document: asked, access: { planned: cut, guarded } };
}

/** Of one client's operation: its literals are known, so it varies only where the client's variables have a say. */
function costOf({ cost }: SharedOperation, { literals, variables }: CanonicalOperation): PreparedOperation['cost'] {
  if (variables.some(({ canonicalName }) => cost.variables.has(canonicalName))) return cost.estimate;
  let constant: number | undefined;
  return () => (constant ??= cost.estimate(literals));
}

function cachingOf(policy: OperationCachePolicy, canonical: CanonicalOperation): OperationCaching {
  return { policy, id: idOf(canonical) };
}

/** Names what is asked. Aliases count: the answer is written with them. */
function idOf({ text, aliases }: CanonicalOperation): string {
  return createHash('sha256')
    .update(JSON.stringify([text, [...aliases]]))
    .digest('base64url');
}

/** Within the limits, for its original was; it may have a few tokens more. */
function parseCanonical(text: string): DocumentNode {
  return parseDocument(text, { maxTokens: Number.MAX_SAFE_INTEGER, noLocation: true });
}

function isDeferred({ isAlways, variables }: DeferConditions, values: Readonly<Record<string, unknown>>): boolean {
  return isAlways || variables.some(({ canonicalName }) => !Object.hasOwn(values, canonicalName) || values[canonicalName] !== false);
}

/** Failures that follow from the operation and the supergraph alone. */
function isFinal(error: unknown): boolean {
  if (error instanceof PlanningTooLong) return false;
  return error instanceof OperationRefused || error instanceof OperationUnplannable;
}
