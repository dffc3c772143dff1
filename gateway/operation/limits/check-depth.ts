import type { DocumentNode, GraphQLError } from 'graphql';
import depthLimit from 'graphql-depth-limit';
import { OperationRefused, toFault } from '../operation-refused.ts';

/**
 * Measures the depth of a document a second time, by `graphql-depth-limit`. That walks through everything the fragments expand to, never
 * ends on a circle of them, and fails on an unknown one: it is for documents that are valid and within the other limits only.
 *
 * @param maxDepth a root field is at level 1 @unit levels
 * @throws OperationRefused `DEPTH_LIMIT_EXCEEDED`
 */
export function checkDepth(document: DocumentNode, maxDepth: number): void {
  const errors: GraphQLError[] = [];
  depthLimit(maxDepth - 1)({ getDocument: () => document, reportError: (error) => void errors.push(error) });
  if (errors.length > 0) throw new OperationRefused('DEPTH_LIMIT_EXCEEDED', errors.slice(0, 1).map(toFault));
}
