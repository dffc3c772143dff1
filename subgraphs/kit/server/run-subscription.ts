import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  type ValidationRule,
  createSourceEventStream,
  execute,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { toLoggableError } from '../database/loggable-error.ts';
import { EVENTS_MISSED, EVENT_ID } from '../events/subscribe-to-topic.ts';
import type { RequestContext } from '../request-context.ts';
import { formatError, isWrittenForClients } from './format-error.ts';

/** A subscription request. */
export interface SubscriptionText {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Validates a subscription. Returns the arguments for its execution, or the errors. */
export function prepareSubscription(
  schema: GraphQLSchema,
  { query, operationName, variables }: SubscriptionText,
  rules: readonly ValidationRule[],
): Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'> | readonly GraphQLError[] {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return [withCode(error, 'GRAPHQL_PARSE_FAILED')];
    throw error;
  }
  const errors = errorsOf(schema, document, rules);
  if (errors.length > 0) return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
  if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.SUBSCRIPTION) {
    return [withCode(new GraphQLError('This transport supports only subscriptions; send other operations with POST.'), 'BAD_REQUEST')];
  }
  return { schema, document, operationName, variableValues: variables };
}

/** Validates a document. A rule of graphql-js 16 throws its error when `@skip` or `@include` at the root has a variable or no argument. */
function errorsOf(schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]): readonly GraphQLError[] {
  try {
    return validate(schema, document, [...specifiedRules, ...rules]);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** @unit tokens */
const MAX_TOKENS = 15_000;

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] = code;
  return error;
}

/** One event for the client, or an error instead. */
export type SentEvent = Omit<ExecutionResult, 'errors'> & { readonly errors?: readonly GraphQLFormattedError[] };

/**
 * Opens the stream of a subscription. Each event is executed, and sent with its id.
 *
 * @returns errors when the subscription is rejected
 */
export async function openSubscription(
  args: ExecutionArgs & { readonly contextValue: RequestContext },
): Promise<AsyncIterableIterator<SentEvent, undefined> | SentEvent> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return toSent(source, args.contextValue);
  const events = source[Symbol.asyncIterator]();
  const sent: AsyncIterableIterator<SentEvent, undefined> = {
    async next() {
      const { done, value } = await events.next();
      if (done === true) return { done: true, value: undefined };
      return { done: false, value: await run(args, value as object) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => sent,
  };
  return sent;
}

async function run(args: ExecutionArgs & { readonly contextValue: RequestContext }, event: object): Promise<SentEvent> {
  if (EVENTS_MISSED in event) return { data: null, errors: [MISSED] };
  const result = toSent(await execute({ ...args, rootValue: event }), args.contextValue);
  const eventId = EVENT_ID in event ? event[EVENT_ID] : undefined;
  return eventId === undefined ? result : { ...result, extensions: { eventId } };
}

const MISSED: GraphQLFormattedError = {
  message: 'Events may have been missed: the events after the last received one are no longer stored.',
  extensions: { code: 'EVENTS_MAY_BE_MISSED' },
};

function toSent({ errors, ...result }: ExecutionResult, { log, subgraph, correlationId }: RequestContext): SentEvent {
  if (errors === undefined) return result;
  for (const error of errors) {
    if (!isWrittenForClients(error))
      log.error({ err: toLoggableError(error), subgraph, correlationId }, 'A resolver failed with an unexpected error.');
  }
  return { data: null, ...result, errors: errors.map((error) => formatError(error.toJSON(), error)) };
}
