import type { ExecutionError } from '../execution/executable-operation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import { OperationRefused } from '../operation/errors.ts';
import { createOperationLocator, type OperationLocator } from '../operation/locate-in-document.ts';
import { parseDocument } from '../operation/parse-document.ts';

/** Reads the document again, which only answers with errors need. It was within the limits when it was prepared. */
function locatorOf(document: string | PreparedDocument, operationName: string | undefined): OperationLocator {
  const parsed = typeof document === 'string' ? parseDocument(document, { maxTokens: Number.MAX_SAFE_INTEGER }) : document.document;
  return createOperationLocator(parsed, operationName);
}

/** Errors of an execution, with where the document asks for the field of each. */
export function locateErrors(
  errors: readonly ExecutionError[],
  document: string | PreparedDocument,
  operationName: string | undefined,
): readonly ExecutionError[] {
  const locator = locatorOf(document, operationName);
  return errors.map((error) => {
    const location = error.path && locator.ofField(error.path);
    return location === undefined ? error : { ...error, locations: [location] };
  });
}

/** The name in messages about the value of a variable. */
const VARIABLE = /^Variable "\$([_A-Za-z][_0-9A-Za-z]*)/;

/** A refusal of variables, with where the document defines each variable at fault. What else was thrown stays as it is. */
export function locateRefusal(refusal: unknown, document: string | PreparedDocument, operationName: string | undefined): unknown {
  if (!(refusal instanceof OperationRefused) || refusal.code !== 'BAD_USER_INPUT') return refusal;
  const locator = locatorOf(document, operationName);
  const faults = refusal.faults.map((fault) => {
    const name = fault.locations === undefined ? VARIABLE.exec(fault.message)?.[1] : undefined;
    const location = name === undefined ? undefined : locator.ofVariable(name);
    return location === undefined ? fault : { ...fault, locations: [location] };
  });
  return new OperationRefused(refusal.code, faults);
}
