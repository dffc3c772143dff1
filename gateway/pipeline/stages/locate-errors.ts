import { LRUCache } from 'lru-cache';
import type { ExecutionError } from '../../execution/executable-operation.ts';
import type { PreparedDocument } from '../../generation/prepared-document.ts';
import { OperationRejected } from '../../operation/operation-rejected.ts';
import { createOperationLocator, type OperationLocator } from '../../operation/locate-in-document.ts';
import { parseDocument } from '../../operation/parse-document.ts';
import type { PayloadStream } from '../execution/incremental.ts';

/** Adds locations to the errors of incremental payloads. */
export function locatePayloads(
  stream: PayloadStream,
  locate: (errors: readonly ExecutionError[]) => readonly ExecutionError[],
): PayloadStream {
  return {
    ...stream,
    async next() {
      const payload = await stream.next();
      const patches = payload.patches.map((patch) => (patch.errors.length === 0 ? patch : { ...patch, errors: locate(patch.errors) }));
      return { ...payload, patches };
    },
  };
}

/** Matches the variable name in messages about the value of a variable. */
const VARIABLE = /^Variable "\$([_A-Za-z][_0-9A-Za-z]*)/;

/** Adds locations in the client's document to errors (GraphQL, section 7.1.2). */
export interface ErrorLocator {
  /** Adds to each execution error the location of its field. */
  locateErrors(
    errors: readonly ExecutionError[],
    document: string | PreparedDocument,
    operationName: string | undefined,
  ): readonly ExecutionError[];
  /** Adds the locations of variable definitions to an error about variables. Returns every other error unchanged. */
  locateRejection(error: unknown, document: string | PreparedDocument, operationName: string | undefined): unknown;
}

/** Maximum memory of cached syntax trees. @unit bytes */
const MAX_RETAINED_BYTES = 16_777_216;
/** Memory of a syntax tree with its tokens. @unit bytes per character of the document */
const BYTES_PER_CHARACTER = 250;

/**
 * Creates a locator. It parses a document only when a response has errors, and caches the latest syntax trees, because a caller without
 * permission for a field gets an error with each response.
 */
export function createErrorLocator(): ErrorLocator {
  const known = new LRUCache<string, OperationLocator>({
    maxSize: MAX_RETAINED_BYTES,
    sizeCalculation: (_locator, key) => BYTES_PER_CHARACTER * key.length + 1,
  });

  function locatorOf(document: string | PreparedDocument, operationName: string | undefined): OperationLocator {
    if (typeof document !== 'string') return createOperationLocator(document.document, operationName);
    const key = `${operationName ?? ''} ${document}`;
    let locator = known.get(key);
    if (locator === undefined) {
      // The document was within the limits when it was prepared.
      locator = createOperationLocator(parseDocument(document, { maxTokens: Number.MAX_SAFE_INTEGER }), operationName);
      known.set(key, locator);
    }
    return locator;
  }

  return {
    locateErrors(errors, document, operationName) {
      if (errors.every(({ path }) => path === undefined)) return errors;
      const locator = locatorOf(document, operationName);
      return errors.map((error) => {
        const location = error.path && locator.ofField(error.path);
        return location === undefined ? error : { ...error, locations: [location] };
      });
    },
    locateRejection(error, document, operationName) {
      if (!(error instanceof OperationRejected) || error.code !== 'BAD_USER_INPUT') return error;
      const locator = locatorOf(document, operationName);
      const errors = error.errors.map((error) => {
        const name = error.locations === undefined ? VARIABLE.exec(error.message)?.[1] : undefined;
        const location = name === undefined ? undefined : locator.ofVariable(name);
        return location === undefined ? error : { ...error, locations: [location] };
      });
      return new OperationRejected(error.code, errors);
    },
  };
}
