import type { DocumentLimits } from '../operation/admit-document.ts';
import type { ListSizeSettings } from '../operation/cost/list-size.ts';
import type { LimitModes } from '../operation/limit-mode.ts';

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
