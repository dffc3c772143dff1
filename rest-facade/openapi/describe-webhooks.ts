import {
  type DefinitionNode,
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { RestDocument } from '../mapping/read-documents.ts';
import type { JsonSchema, Operation, Parameter, PathItem } from './openapi-document.ts';
import { type ResultContext, resultSchema } from './result-schema.ts';

/**
 * What is sent to webhooks in a version: subscriptions with `@webhook(event:, since:)`, by the names of their events. Whether they
 * can be served is told by whoever delivers them.
 *
 * @throws GraphQLError for text that is no GraphQL
 */
export function describeWebhooks(
  documents: readonly RestDocument[],
  version: number,
  context: Pick<ResultContext, 'schema' | 'components'>,
): Readonly<Record<string, PathItem>> {
  const described = documents.flatMap(({ text }) => {
    const { definitions } = parse(text);
    const fragments = new Map(definitions.filter(isFragment).map((definition) => [definition.name.value, definition]));
    return definitions.filter(isSubscription).flatMap((definition): readonly (readonly [string, PathItem])[] => {
      const { event, since } = readWebhook(definition);
      if (event === undefined || since > version) return [];
      return [[event, { post: describeDelivery(event, definition, { ...context, fragments }) }]];
    });
  });
  return Object.fromEntries(described);
}

function describeDelivery(event: string, definition: OperationDefinitionNode, context: ResultContext): Operation {
  const { name, selectionSet, description } = definition;
  const root = context.schema.getSubscriptionType();
  const data: JsonSchema = root === null || root === undefined ? {} : resultSchema(selectionSet, root, context);
  const body = context.components.refer(`event ${event}`, `${name?.value ?? event}Event`, () => ({
    type: 'object',
    properties: { type: { type: 'string', const: event }, timestamp: { type: 'string', format: 'date-time' }, data },
    required: ['type', 'timestamp', 'data'],
  }));
  return {
    operationId: name?.value ?? event,
    summary: description?.value ?? event,
    tags: ['Event'],
    security: [],
    parameters: SIGNATURE,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'It has arrived, and is not sent again.' },
      410: { description: 'Nobody is there any more: nothing is sent to this address from then on.' },
      '4XX': { description: 'It is sent again, later and later.' },
    },
  };
}

/** Standard Webhooks. */
const SIGNATURE: readonly Parameter[] = [
  header('webhook-id', 'Names the message: the same each time it is sent.'),
  header('webhook-timestamp', 'When it is sent, in seconds since 1970.'),
  header('webhook-signature', 'Signatures over id, timestamp and body, with spaces between them: `v1,` and base64 (Standard Webhooks).'),
];

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, required: true, schema: { type: 'string' } };
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function isSubscription(definition: DefinitionNode): definition is OperationDefinitionNode {
  return definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.SUBSCRIPTION;
}

function readWebhook({ directives = [] }: OperationDefinitionNode): { readonly event: string | undefined; readonly since: number } {
  const use = directives.find(({ name }) => name.value === 'webhook');
  const event = use && argumentOf(use, 'event');
  const since = use && argumentOf(use, 'since');
  return { event: event?.kind === Kind.STRING ? event.value : undefined, since: since?.kind === Kind.INT ? Number(since.value) : 1 };
}

function argumentOf(
  { arguments: given = [] }: DirectiveNode,
  name: string,
): NonNullable<DirectiveNode['arguments']>[number]['value'] | undefined {
  return given.find((argument) => argument.name.value === name)?.value;
}
