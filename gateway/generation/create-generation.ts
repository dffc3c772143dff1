import { LRUCache } from 'lru-cache';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CompileOperationInput } from '../execution/compile-operation.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import { admitDocument, type DocumentLimits, findExcesses } from '../operation/admit-document.ts';
import { coerceVariables } from '../operation/coerce-variables.ts';
import { isolateOperation } from '../operation/isolate-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import { parseDocument } from '../operation/parse-document.ts';
import { selectOperation } from '../operation/select-operation.ts';
import { validateDocument } from '../operation/validate-document.ts';
import { reservedKeysOf } from '../planning/plan-keys.ts';
import { toPlannable } from '../planning/plannable-document.ts';
import { OperationUnplannable } from '../planning/operation-unplannable.ts';
import type { Planner } from '../planning/planner.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { Generation } from './generation.ts';
import type { PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import { singleFlight } from './single-flight.ts';

/** How documents are prepared; the same for all generations of a gateway. */
export interface PreparationSettings {
  /** Largest document. @unit tokens */
  readonly maxTokens: number;
  /** What a document may ask for; `measure` reports in the log what goes beyond, and serves it. */
  readonly limits: DocumentLimits & { readonly mode: 'enforce' | 'measure' };
  /** Faults of one document, or of one set of variables, that are told at once. @unit faults */
  readonly maxErrors: number;
  /** Deepest nesting in the value of a variable. @unit levels */
  readonly maxVariableDepth: number;
  /** Whether messages may suggest names of the schema; off wherever introspection is. */
  readonly isSchemaShown: boolean;
  /** Documents kept, each with its operations. @unit entries */
  readonly maxCachedOperations: number;
  /** Size of the texts of the documents kept. @unit bytes */
  readonly maxCachedOperationBytes: number;
}

/** What a generation is put together from. Planner and executor are disposed with it. */
export interface GenerationParts {
  readonly loaded: LoadedSupergraph;
  readonly planner: Planner;
  readonly executor: SubgraphExecutor & AsyncDisposable;
  readonly compile: (input: CompileOperationInput) => ExecutableOperation;
  readonly settings: PreparationSettings;
  readonly logger: Logger;
}

interface CachedDocument {
  readonly prepared: PreparedDocument;
  /** By name; the key of an operation asked for without one is the empty text. No more than the document has. */
  readonly operations: Map<string, PreparedOperation>;
}

export function createGeneration({ loaded, planner, executor, compile, settings, logger }: GenerationParts): Generation {
  const { schema } = loaded;
  const reservedKeys = reservedKeysOf(loaded.supergraph);
  const hideSuggestions = !settings.isSchemaShown;
  const isEnforced = settings.limits.mode === 'enforce';
  const variableSettings = { maxDepth: settings.maxVariableDepth, maxErrors: settings.maxErrors, hideSuggestions };
  const cache = new LRUCache<string, CachedDocument>({
    max: settings.maxCachedOperations,
    maxSize: settings.maxCachedOperationBytes,
    sizeCalculation: (_entry, text) => Math.max(1, Buffer.byteLength(text)),
  });

  function documentOf(text: string): CachedDocument {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const document = parseDocument(text, settings);
    if (isEnforced) admitDocument(document, settings.limits); // before anything that expands fragments
    validateDocument(schema, document, { maxErrors: settings.maxErrors, hideSuggestions });
    if (!isEnforced) reportExcesses(document);
    const entry = { prepared: { text, document }, operations: new Map() };
    cache.set(text, entry);
    return entry;
  }

  /** Only of documents that are valid and kept, so that the log has one line for each. */
  function reportExcesses(document: DocumentNode): void {
    const excesses = findExcesses(document, settings.limits).map(({ code, fault }) => ({ code, message: fault.message }));
    if (excesses.length === 0) return;
    logger.warn({ excesses, supergraph: loaded.id }, 'A document goes beyond limits, which are measured and not enforced.');
  }

  function operationOf({ prepared, operations }: CachedDocument, operationName = ''): PreparedOperation {
    const known = operations.get(operationName);
    if (known !== undefined) return known;
    const operation = prepareOperation(prepared, selectOperation(prepared.document, operationName));
    operations.set(operationName, operation);
    return operation;
  }

  function prepareOperation({ document }: PreparedDocument, operation: OperationDefinitionNode): PreparedOperation {
    const isolated = isolateOperation(document, operation);
    return {
      kind: operation.operation,
      isIntrospecting: isolated.isIntrospecting,
      coerceVariables: (raw) => coerceVariables(schema, operation, raw, variableSettings),
      executable: singleFlight(() => makeExecutable(isolated.document, operation), isFinal),
    };
  }

  async function makeExecutable(document: DocumentNode, operation: OperationDefinitionNode): Promise<ExecutableOperation> {
    try {
      const plannable = toPlannable(document, operation, reservedKeys);
      const plan = await planner.plan(plannable.document, operation.name?.value);
      return compilePlanned({ plan, schema, supergraph: loaded.supergraph, document, operation, keys: plannable.keys });
    } catch (error) {
      if (error instanceof OperationUnplannable) {
        const facts = { err: error.cause, operation: operation.name?.value ?? null, supergraph: loaded.id };
        logger.error(facts, 'An operation cannot be planned. It fails each time it is asked for; only this time it is logged.');
      }
      throw error;
    }
  }

  function compilePlanned(input: CompileOperationInput): ExecutableOperation {
    try {
      return compile(input);
    } catch (error) {
      throw error instanceof GatewayError ? error : new OperationUnplannable(error);
    }
  }

  return {
    id: loaded.id,
    schema,
    executor,
    prepare: (document) => documentOf(document).prepared,
    prepareOperation: (document, operationName) =>
      operationOf(documentOf(typeof document === 'string' ? document : document.text), operationName),
    async [Symbol.asyncDispose]() {
      cache.clear();
      await planner[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}

/** Failures that follow from the operation and the supergraph alone. */
function isFinal(error: unknown): boolean {
  return error instanceof OperationRefused || error instanceof OperationUnplannable;
}
