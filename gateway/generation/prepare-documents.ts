import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { ListSizeSettings } from '../operation/cost/list-size.ts';
import { createAdmission, type DocumentLimits, type Excess } from '../operation/limits/admit-document.ts';
import { checkDepth } from '../operation/limits/check-depth.ts';
import { type LimitModes, modeOf } from '../operation/limits/limit-mode.ts';
import { type CanonicalOperation, createCanonicaliser } from '../operation/normalize/canonical-operation.ts';
import { isolateOperation, verbatimOperation } from '../operation/normalize/verbatim-operation.ts';
import { parseDocument } from '../operation/parse-document.ts';
import { selectOperation } from '../operation/select-operation.ts';
import { refuseDefinitions, validateDocument } from '../operation/validation/validate-document.ts';
import type { Logger } from '../platform/logger.ts';
import { createWeighedCache } from '../platform/weighed-cache.ts';
import { createKnownDocument, createSecondSight, type KnownDocument, type PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import { bytesOfDocument } from './retained-bytes.ts';

/** How documents are prepared; the same for all generations of a gateway. */
export interface PreparationSettings {
  /** Largest document. @unit tokens */
  readonly maxTokens: number;
  /** What a document may ask for; `measure` reports in the log what goes beyond, and serves it. */
  readonly limits: DocumentLimits & Omit<ListSizeSettings, 'isPageSizeEnforced'> & LimitModes;
  /** Faults of one document, or of one set of variables, that are told at once. @unit faults */
  readonly maxErrors: number;
  /** Deepest nesting in the value of a variable. @unit levels */
  readonly maxVariableDepth: number;
  /** Whether messages may suggest names of the schema; off wherever introspection is. */
  readonly isSchemaShown: boolean;
  /** Documents kept, and as many operations. @unit entries */
  readonly maxCachedOperations: number;
  /** What the documents and operations kept hold, with their plans. @unit bytes */
  readonly maxCachedOperationBytes: number;
}

/** One operation of a valid document, with what makes it one of many. */
export interface TakenOperation {
  readonly operation: OperationDefinitionNode;
  readonly canonical: CanonicalOperation;
  readonly isIntrospecting: boolean;
  readonly document: string;
  readonly operationName?: string;
  /** Its document has an owner. */
  readonly isKept: boolean;
  /** Its text is not kept: it may never come again. */
  readonly isPassing: boolean;
}

export interface DocumentPreparation {
  /** Tells if a document needs neither to be parsed nor validated. */
  isKnown(document: string | PreparedDocument): boolean;
  /** @throws OperationRefused */
  operation(document: string | PreparedDocument, operationName?: string): PreparedOperation;
  /** For an owner: what is prepared of it is kept as long as the owner holds it, whatever else is asked for. @throws OperationRefused */
  document(text: string): PreparedDocument;
  clear(): void;
}

export interface DocumentPreparationParts {
  readonly schema: GraphQLSchema;
  readonly settings: PreparationSettings;
  /** Goes into what is logged. */
  readonly supergraphId: string;
  readonly logger: Logger;
  /** Whether an operation with this canonical text was found valid. */
  readonly isKnownValid: (canonicalText: string) => boolean;
  /** Called once for each operation that is asked for, of each text. */
  readonly take: (operation: TakenOperation) => PreparedOperation;
}

/** What a share of the memory for operations the texts may take; the rest is for plans. */
const TEXT_SHARE = 0.25;

/**
 * Text to operation. A text that is known costs a look-up. One that is not is weighed, parsed and put in its canonical form, and
 * validated only when no operation with that form was: then as it was written, so that faults are told in its own terms.
 */
export function createDocumentPreparation(parts: DocumentPreparationParts): DocumentPreparation {
  const { schema, settings, supergraphId, logger, isKnownValid, take } = parts;
  const { maxErrors, limits } = settings;
  const validation = { maxErrors, hideSuggestions: !settings.isSchemaShown };
  const admitDocument = createAdmission({ maxTokens: settings.maxTokens, limits });
  /** What is parsed at all. */
  const maxTokens = modeOf(limits, 'tokens') === 'enforce' ? settings.maxTokens : Number.MAX_SAFE_INTEGER;
  const canonicalise = createCanonicaliser(schema);
  const known = createWeighedCache<KnownDocument>({
    maxEntries: settings.maxCachedOperations,
    maxBytes: Math.max(1, Math.floor(settings.maxCachedOperationBytes * TEXT_SHARE)),
    bytesOf: ({ used }, text) => bytesOfDocument(text, used),
  });
  const wasSeen = createSecondSight();
  /** For as long as their owners hold them. */
  const kept = new WeakMap<PreparedDocument, KnownDocument>();

  function documentOf(text: string): KnownDocument {
    return known.get(text) ?? admit(text);
  }

  function admit(text: string): KnownDocument {
    const excesses = admitDocument(text); // before anything is made of it
    const light = parseDocument(text, { maxTokens, noLocation: true });
    if (excesses === undefined) refuseDefinitions(schema, parseDocument(text, { maxTokens }), validation);
    const document = createKnownDocument(text, maxTokens);
    document.isPassing = !hasRoom(text) && !wasSeen(text);
    const operation = onlyOperationOf(light);
    const canonical = operation === undefined ? undefined : canonicalise(light, operation, true);
    if (canonical === undefined || !isKnownValid(canonical.text)) {
      const located = parseDocument(text, { maxTokens });
      validateDocument(schema, located, validation);
      if (excesses.length === 0) checkDepth(located, limits.maxDepth);
    }
    if (excesses.length > 0 && !document.isPassing) reportExcesses(excesses);
    if (operation !== undefined) remember(document, light, operation, canonical);
    if (!document.isPassing) known.put(text, document);
    return document;
  }

  /**
   * Where there is no room without letting go of another text, one must come twice: clients that write something else each
   * time would push out all others, and what is let go of after a while costs garbage collection most: a tenth of such a request.
   */
  function hasRoom(text: string): boolean {
    return known.hasRoomFor(bytesOfDocument(text, [{ canonicalText: text, isAliased: true }]));
  }

  /** Of documents that are valid and kept only, so that the log has one line for each. */
  function reportExcesses(found: readonly Excess[]): void {
    const excesses = found.map(({ code, fault }) => ({ code, message: fault.message }));
    logger.warn({ excesses, supergraph: supergraphId }, 'A document goes beyond limits, which are measured and not enforced.');
  }

  function operationOf(document: KnownDocument, operationName = ''): PreparedOperation {
    const prepared = document.operations.get(operationName);
    if (prepared !== undefined) return prepared;
    const light = parseDocument(document.text, { maxTokens, noLocation: true });
    const operation = selectOperation(light, operationName);
    const canonical = canonicalise(light, operation, false);
    return remember(document, light, operation, canonical);
  }

  /** The only operation of a document goes by no name and by its own; of several, each by its own. */
  function remember(
    document: KnownDocument,
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
      isKept: document.isKept,
      isPassing: document.isPassing,
    });
    if (onlyOperationOf(light) !== undefined) document.operations.set('', prepared);
    if (name !== undefined) document.operations.set(name, prepared);
    document.used.push({ canonicalText, isAliased: prepared.aliases !== undefined });
    if (known.peek(document.text) === document) known.put(document.text, document);
    return prepared;
  }

  return {
    isKnown: (document) => (typeof document === 'string' ? known.peek(document) !== undefined : kept.has(document)),
    operation(document, operationName) {
      if (typeof document === 'string') return operationOf(documentOf(document), operationName);
      return operationOf(kept.get(document) ?? documentOf(document.text), operationName);
    },
    document(text) {
      const document = documentOf(text);
      if (!document.isKept) {
        document.isKept = true;
        document.isPassing = false;
        document.operations.clear(); // taken again as those of an owner
        document.used.length = 0;
        kept.set(document.prepared, document);
      }
      return document.prepared;
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
