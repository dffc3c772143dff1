import { GraphQLError } from 'graphql';
import { isRecord } from '../subgraph-client/read-errors.ts';
import type { GatewayExecutor, IncomingResult } from './gateway-interface.ts';

/** Longest list of such errors. @unit errors */
const MOST_ERRORS = 100;

/**
 * Reports values of subgraphs that do not fit the schema. The stock gateway puts null in their place and mentions them in
 * `extensions.valueCompletion` only, so a client reads null and no error.
 */
export function withCompletionErrors(executor: GatewayExecutor): GatewayExecutor {
  return async (request) => toReported(await executor(request));
}

function toReported({ extensions, ...result }: IncomingResult): IncomingResult {
  const { valueCompletion, ...others } = extensions ?? {};
  const kept = Object.keys(others).length === 0 ? result : { ...result, extensions: others };
  // Where there are errors, what is null follows from them.
  if (!Array.isArray(valueCompletion) || (result.errors?.length ?? 0) > 0) return kept;
  return { ...kept, errors: valueCompletion.slice(0, MOST_ERRORS).map(toError) };
}

function toError(completion: unknown): GraphQLError {
  const path = isRecord(completion) && Array.isArray(completion['path']) ? { path: completion['path'] as (string | number)[] } : {};
  return new GraphQLError('A service behind this gateway gave a value that does not fit its field.', {
    ...path,
    extensions: { code: 'SUBGRAPH_INVALID_RESPONSE' },
  });
}
