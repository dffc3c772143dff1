import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { OperationRefused, toFault } from './operation-refused.ts';

export interface ParseOptions {
  /** Longest document; it may have as many comments. Bounds the work of everything that follows, nesting included. @unit tokens */
  readonly maxTokens: number;
  /** Leaves out where nodes stand in the text: a third less work, and the document does not hold the text. @defaultValue false */
  readonly noLocation?: boolean;
}

/** How the parser says that it stopped at a limit; it gives no code. Its own test fails when the wording changes. */
const STOPPED = / (?<unit>tokens|comments)\. Parsing aborted\.$/;

/**
 * Text to document.
 *
 * @throws OperationRefused `GRAPHQL_PARSE_FAILED`, or `TOKEN_LIMIT_EXCEEDED` for a document that is too long
 */
export function parseDocument(text: string, { maxTokens, noLocation = false }: ParseOptions): DocumentNode {
  try {
    return parse(text, { maxTokens, maxComments: maxTokens, noLocation });
  } catch (error) {
    throw toRefusal(error, maxTokens);
  }
}

function toRefusal(error: unknown, maxTokens: number): unknown {
  // The parser recurses; only a limit far above the default lets a document through that is too deep for the stack.
  if (error instanceof RangeError) return new OperationRefused('GRAPHQL_PARSE_FAILED', [{ message: 'The document is nested too deeply.' }]);
  if (!(error instanceof GraphQLError)) return error;
  const unit = STOPPED.exec(error.message)?.groups?.['unit'];
  if (unit !== undefined) {
    return new OperationRefused('TOKEN_LIMIT_EXCEEDED', [{ message: `The document has more than ${maxTokens} ${unit}.` }]);
  }
  return new OperationRefused('GRAPHQL_PARSE_FAILED', [toFault(error)]);
}
