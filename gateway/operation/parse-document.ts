import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { OperationRejected, toRequestError } from './operation-rejected.ts';

export interface ParseOptions {
  /**
   * Maximum length of a document; the same maximum applies to comments. Bounds the work of all later steps, including nesting.
   *
   * @unit tokens
   */
  readonly maxTokens: number;
  /** Omits the locations of nodes. Saves a third of the parsing time, and the document does not retain the text. @defaultValue false */
  readonly noLocation?: boolean;
}

/** Message with which the parser reports that it stopped at a limit; it has no error code. A test fails when the wording changes. */
const STOPPED = / (?<unit>tokens|comments)\. Parsing aborted\.$/;

/**
 * Parses a document.
 *
 * @throws OperationRejected `GRAPHQL_PARSE_FAILED` for a syntax error, or `TOKEN_LIMIT_EXCEEDED` for a document that is too long
 */
export function parseDocument(text: string, { maxTokens, noLocation = false }: ParseOptions): DocumentNode {
  try {
    return parse(text, { maxTokens, maxComments: maxTokens, noLocation });
  } catch (error) {
    throw toParseError(error, maxTokens);
  }
}

function toParseError(error: unknown, maxTokens: number): unknown {
  // The parser recurses. Only a limit far above the default accepts a document that is too deep for the stack.
  if (error instanceof RangeError)
    return new OperationRejected('GRAPHQL_PARSE_FAILED', [{ message: 'The document is nested too deeply.' }]);
  if (!(error instanceof GraphQLError)) return error;
  const unit = STOPPED.exec(error.message)?.groups?.['unit'];
  if (unit !== undefined) {
    const message = `The document has more than ${maxTokens} ${unit}.`;
    return new OperationRejected('TOKEN_LIMIT_EXCEEDED', [{ message }], { setting: 'graphql.maxTokens' });
  }
  return new OperationRejected('GRAPHQL_PARSE_FAILED', [toRequestError(error)]);
}
