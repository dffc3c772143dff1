import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { ListSizeSettings } from '../operation/cost/list-size.ts';
import { createAdmission, type DocumentLimits, type Excess } from '../operation/limits/admit-document.ts';
import { checkDepth } from '../operation/limits/check-depth.ts';
import { type LimitModes, modeOf } from '../operation/limits/limit-mode.ts';
import { type CanonicalOperation, createCanonicalizer } from '../operation/normalize/canonical-operation.ts';
import { isolateOperation, verbatimOperation } from '../operation/normalize/verbatim-operation.ts';
import { parseDocument } from '../operation/parse-document.ts';
import { selectOperation } from '../operation/select-operation.ts';
import { refuseDefinitions, validateDocument, validateInSteps } from '../operation/validation/validate-document.ts';
import type { Logger } from '../platform/logger.ts';
import { recordStage, type StageRecorder } from '../platform/operation-recorder.ts';
import { createSizedCache } from '../platform/sized-cache.ts';
import { createCachedDocument, createDoorkeeper, type CachedDocument, type PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import { bytesOfDocument } from './retained-bytes.ts';

/** Limit of the estimated cost. */
interface CostLimitSettings {
  /** @unit points @defaultValue the limit of the configuration */
  readonly maxCost?: number | undefined;
}

/** Settings of slicing arguments. */
export interface SlicingSettings {
  /** Names of arguments that define the number of items of a field without `@listSize`. @defaultValue none */
  readonly slicingArguments?: readonly string[];
}

/** Settings for preparing documents, shared by all generations of a gateway. */
export interface PreparationSettings {
  /** Maximum document size. @unit tokens */
  readonly maxTokens: number;
  /** Limits for documents. In `measure` mode, an exceeded limit is logged and the document is executed. */
  readonly limits: DocumentLimits & Omit<ListSizeSettings, 'isPageSizeEnforced'> & LimitModes & SlicingSettings & CostLimitSettings;
  /** Maximum number of errors that are reported for one document or one set of variables. @unit errors */
  readonly maxErrors: number;
  /** Maximum nesting of a variable value. @unit levels */
  readonly maxVariableDepth: number;
  /** Whether messages can suggest names of the schema. Disabled when introspection is disabled. */
  readonly isSchemaShown: boolean;
  /** Maximum number of cached documents, and of cached operations. @unit entries */
  readonly maxCachedOperations: number;
  /** Maximum memory for cached documents and operations, including their plans. @unit bytes */
  readonly maxCachedOperationBytes: number;
}

/** One operation of a valid document and its canonical form. */
export interface IsolatedOperation {
  readonly operation: OperationDefinitionNode;
  readonly canonical: CanonicalOperation;
  readonly isIntrospecting: boolean;
  readonly document: string;
  readonly operationName?: string;
  /** Whether a component holds the document. */
  readonly isOwned: boolean;
  /** Whether the text is not cached, because it may not be sent again. */
  readonly isTransient: boolean;
}

export interface DocumentPreparation {
  /** Whether a document needs neither parsing nor validation. */
  isKnown(document: string | PreparedDocument): boolean;
  /**
   * @param recorder records parsing and validation of a document that is not known. @defaultValue they are not recorded
   * @throws OperationRejected when the document or the operation is invalid
   */
  operation(document: string | PreparedDocument, operationName?: string, recorder?: StageRecorder): PreparedOperation;
  /**
   * Prepares a document that no request waits for, so that `operation` finds it. Calls `pause` between steps of a few milliseconds, in which
   * requests are processed.
   *
   * @throws OperationRejected when the document or its only operation is invalid
   */
  prepareInSteps(text: string, pause: () => Promise<unknown>): Promise<void>;
  /**
   * Prepares a document for a component that holds it. Everything prepared from it is cached as long as the component holds it, regardless
   * of other documents.
   *
   * @throws OperationRejected when the document is invalid
   */
  document(text: string): PreparedDocument;
  /** Removes a document from the cache. @returns the canonical texts of its operations */
  forget(text: string): readonly string[];
  clear(): void;
}

export interface DocumentPreparationDependencies {
  readonly schema: GraphQLSchema;
  readonly settings: PreparationSettings;
  /** ID of the supergraph for log lines. */
  readonly supergraphId: string;
  readonly logger: Logger;
  /** Whether an operation with this canonical text has been validated. */
  readonly isKnownValid: (canonicalText: string) => boolean;
  /** Called once for each requested operation of each text. */
  readonly take: (operation: IsolatedOperation) => PreparedOperation;
}

/** A text that was parsed without locations. */
interface ParsedText {
  readonly light: DocumentNode;
  /** Exceeded limits. Undefined for a text with definitions that are not executable. */
  readonly excesses: readonly Excess[] | undefined;
}

/** The only operation of a text and its canonical form. Both are undefined for other texts. */
interface WrittenText {
  readonly operation: OperationDefinitionNode | undefined;
  readonly canonical: CanonicalOperation | undefined;
  readonly excesses: readonly Excess[];
  readonly isKnownValid: boolean;
}

/** Share of the operation memory that texts can use. The rest is for plans. */
const TEXT_SHARE = 0.25;

/**
 * Creates a cache from text to operation. A known text costs one lookup. An unknown text is checked against the limits, parsed and
 * converted to its canonical form. It is validated only when no operation with that form has been validated. Validation uses the original
 * text, so that errors refer to the client's names.
 */
export function createDocumentPreparation(dependencies: DocumentPreparationDependencies): DocumentPreparation {
  const { schema, settings, supergraphId, logger, isKnownValid, take } = dependencies;
  const { maxErrors, limits } = settings;
  const validation = { maxErrors, hideSuggestions: !settings.isSchemaShown };
  const admitDocument = createAdmission({ maxTokens: settings.maxTokens, limits });
  /** Maximum number of tokens that are parsed. */
  const maxTokens = modeOf(limits, 'tokens') === 'enforce' ? settings.maxTokens : Number.MAX_SAFE_INTEGER;
  const canonicalize = createCanonicalizer(schema);
  const known = createSizedCache<CachedDocument>({
    maxEntries: settings.maxCachedOperations,
    maxBytes: Math.max(1, Math.floor(settings.maxCachedOperationBytes * TEXT_SHARE)),
    bytesOf: ({ used }, text) => bytesOfDocument(text, used),
  });
  const seenRecently = createDoorkeeper();
  /** Held documents, for as long as their components hold them. */
  const stored = new WeakMap<PreparedDocument, CachedDocument>();

  function documentOf(text: string, recorder?: StageRecorder): CachedDocument {
    return known.get(text) ?? admit(text, recorder);
  }

  function admit(text: string, recorder: StageRecorder | undefined): CachedDocument {
    const parsed = recordStage(recorder, 'parse', () => parse(text));
    return recordStage(recorder, 'validate', () => {
      const written = canonicalizeParsed(text, parsed);
      if (!written.isKnownValid) {
        validateDocument(schema, parsed.light, { ...validation, locate: () => locate(text) });
        requireDepth(text, parsed);
      }
      return store(text, parsed, written);
    });
  }

  async function prepareInSteps(text: string, pause: () => Promise<unknown>): Promise<void> {
    if (known.get(text) !== undefined) return;
    const parsed = parse(text);
    await pause();
    const written = canonicalizeParsed(text, parsed);
    if (!written.isKnownValid) {
      await pause();
      await validateInSteps(schema, parsed.light, { ...validation, locate: () => locate(text) }, pause);
      requireDepth(text, parsed);
    }
    await pause();
    if (known.peek(text) === undefined) store(text, parsed, written);
  }

  function parse(text: string): ParsedText {
    const excesses = admitDocument(text); // The limits are checked before the document is processed.
    return { excesses, light: parseDocument(text, { maxTokens, noLocation: true }) };
  }

  /** Parses a text with locations. Called only when an error must have them. */
  function locate(text: string): DocumentNode {
    return parseDocument(text, { maxTokens });
  }

  function canonicalizeParsed(text: string, { light, excesses }: ParsedText): WrittenText {
    if (excesses === undefined) refuseDefinitions(schema, locate(text), validation);
    const operation = onlyOperationOf(light);
    const canonical = operation === undefined ? undefined : canonicalize(light, operation, true);
    return { operation, canonical, excesses, isKnownValid: canonical !== undefined && isKnownValid(canonical.text) };
  }

  function requireDepth(text: string, { light, excesses }: ParsedText): void {
    if (excesses?.length === 0) checkDepth(light, limits.maxDepth, () => locate(text));
  }

  /** Creates the cache entry of a valid text. */
  function store(text: string, { light }: ParsedText, { operation, canonical, excesses }: WrittenText): CachedDocument {
    const document = createCachedDocument(text, maxTokens);
    document.isTransient = !hasCapacity(text) && !seenRecently(text);
    if (excesses.length > 0 && !document.isTransient) reportExcesses(excesses);
    if (operation !== undefined) remember(document, light, operation, canonical);
    if (!document.isTransient) known.put(text, document);
    return document;
  }

  /**
   * Whether a text fits into the cache without evicting another one. A text that does not fit is cached only when it arrives a second time.
   * Otherwise, clients that send a different text each time would evict all others. Entries evicted after a while are also the most
   * expensive for garbage collection: a tenth of such a request.
   */
  function hasCapacity(text: string): boolean {
    return known.hasCapacityFor(bytesOfDocument(text, [{ canonicalText: text, isAliased: true }]));
  }

  /** Logs exceeded limits. It is called only for valid, cached documents, so that the log has one line for each. */
  function reportExcesses(found: readonly Excess[]): void {
    const excesses = found.map(({ code, requestError: issue }) => ({ code, message: issue.message }));
    logger.warn({ excesses, supergraph: supergraphId }, 'A document exceeds limits that are measured and not enforced.');
  }

  function operationOf(document: CachedDocument, operationName = ''): PreparedOperation {
    const prepared = document.operations.get(operationName);
    if (prepared !== undefined) return prepared;
    const light = parseDocument(document.text, { maxTokens, noLocation: true });
    const operation = selectOperation(light, operationName);
    const canonical = canonicalize(light, operation, false);
    return remember(document, light, operation, canonical);
  }

  /**
   * Registers an operation. The only operation of a document is registered with and without its name, and each of several operations by its
   * name.
   */
  function remember(
    document: CachedDocument,
    light: DocumentNode,
    operation: OperationDefinitionNode,
    canonical: CanonicalOperation | undefined,
  ): PreparedOperation {
    const name = operation.name?.value;
    const isolated = canonical === undefined ? isolateOperation(light, operation) : undefined;
    const written = canonical ?? verbatimOperation(isolated ?? isolateOperation(light, operation));
    const { text: canonicalText } = written;
    const prepared = take({
      operation,
      canonical: written,
      isIntrospecting: isolated?.isIntrospecting ?? false,
      document: document.text,
      ...(name === undefined ? {} : { operationName: name }),
      isOwned: document.isOwned,
      isTransient: document.isTransient,
    });
    if (onlyOperationOf(light) !== undefined) document.operations.set('', prepared);
    if (name !== undefined) document.operations.set(name, prepared);
    document.used.push({ canonicalText, isAliased: prepared.aliases !== undefined });
    if (known.peek(document.text) === document) known.put(document.text, document);
    return prepared;
  }

  return {
    isKnown: (document) => (typeof document === 'string' ? known.peek(document) !== undefined : stored.has(document)),
    operation(document, operationName, recorder) {
      if (typeof document === 'string') return operationOf(documentOf(document, recorder), operationName);
      return operationOf(stored.get(document) ?? documentOf(document.text, recorder), operationName);
    },
    prepareInSteps,
    document(text) {
      const document = documentOf(text);
      if (!document.isOwned) {
        document.isOwned = true;
        document.isTransient = false;
        document.operations.clear(); // The operations are created again as those of a held document.
        document.used.length = 0;
        stored.set(document.prepared, document);
      }
      return document.prepared;
    },
    forget(text) {
      const document = known.peek(text);
      known.delete(text);
      return document?.used.map(({ canonicalText }) => canonicalText) ?? [];
    },
    clear: () => known.clear(),
  };
}

function onlyOperationOf({ definitions }: DocumentNode): OperationDefinitionNode | undefined {
  let only: OperationDefinitionNode | undefined;
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    if (only !== undefined) return undefined;
    only = definition;
  }
  return only;
}
