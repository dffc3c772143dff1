import type { DocumentNode, GraphQLError } from 'graphql';
import depthLimit from 'graphql-depth-limit';
import { OperationRejected, toRequestError } from '../operation-rejected.ts';

/**
 * Measures the depth of a document a second time, with `graphql-depth-limit`. That library walks the expanded fragments, does not terminate
 * on fragment cycles and fails on unknown fragments. Use it only for documents that are valid and within the other limits.
 *
 * @param maxDepth a root field is at level 1
 * @unit levels
 * @param locate parses the document with locations for an error. @defaultValue the document has locations
 * @throws OperationRejected `DEPTH_LIMIT_EXCEEDED` when the document is deeper than `maxDepth`
 */
export function checkDepth(document: DocumentNode, maxDepth: number, locate?: () => DocumentNode): void {
  const errors: GraphQLError[] = [];
  depthLimit(maxDepth - 1)({ getDocument: () => document, reportError: (error) => void errors.push(error) });
  if (errors.length === 0) return;
  if (locate !== undefined) checkDepth(locate(), maxDepth);
  throw new OperationRejected('DEPTH_LIMIT_EXCEEDED', errors.slice(0, 1).map(toRequestError), { setting: 'limits.maxDepth' });
}
