import {
  type DefinitionNode,
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import type { JsonSchema, OperationObject, Parameter, PathItem } from './openapi-document.ts';
import { type ResultContext, resultSchema } from './schemas/result-schema.ts';
import { thinSchema } from './schemas/thin-schema.ts';

/**
 * Describes the messages that a version sends to webhooks: subscriptions with `@webhook(event:, since:)`, by event name, and the events
 * about webhooks themselves. The webhook service checks whether the subscriptions can be served.
 *
 * @throws GraphQLError for text that is not valid GraphQL
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
  return described.length === 0 ? {} : Object.fromEntries([...described, ...describeOwn(context)]);
}

function describeDelivery(event: string, definition: OperationDefinitionNode, context: ResultContext): OperationObject {
  const { name, description } = definition;
  const operationId = name?.value ?? event;
  const body = context.components.refer(`event ${event}`, `${operationId}Event`, () =>
    messageSchema(event, dataSchema(definition, context), { isThin: IS_THIN }),
  );
  return delivery(operationId, description?.value ?? event, body);
}

/** Returns the schema of the whole result, and of the reduced result that replaces one that is too large. */
function dataSchema(definition: OperationDefinitionNode, context: ResultContext): JsonSchema {
  const root = context.schema.getSubscriptionType();
  if (root === null || root === undefined) return {};
  const whole = resultSchema(definition.selectionSet, root, context);
  const thin = thinSchema(definition, root, context);
  return JSON.stringify(whole) === JSON.stringify(thin) ? whole : { anyOf: [whole, thin] };
}

const IS_THIN: JsonSchema = {
  type: 'boolean',
  const: true,
  description:
    'Present if the event was larger than 20 kB. `data` then contains only the scalar fields of each root object. Fetch the rest with a request.',
};

/** Describes the events that no document declares. */
function describeOwn({ components }: Pick<ResultContext, 'components'>): readonly (readonly [string, PathItem])[] {
  return OWN_EVENTS.map(({ event, operationId, summary, data }) => {
    const body = components.refer(`event ${event}`, `${operationId}Event`, () => messageSchema(event, data));
    return [event, { post: delivery(operationId, summary, body) }] as const;
  });
}

const OWN_EVENTS: readonly {
  readonly event: string;
  readonly operationId: string;
  readonly summary: string;
  readonly data: JsonSchema;
}[] = [
  {
    event: 'webhook.ping',
    operationId: 'WebhookPing',
    summary: 'Checks the address of a webhook. A response with a 2xx status sets the webhook to ACTIVE.',
    data: dataOf('webhookId', 'The webhook that was registered or is about to become ACTIVE again.'),
  },
  {
    event: 'webhook.gap',
    operationId: 'WebhookGap',
    summary: 'Events may have been missed. Fetch the current state of the affected resources.',
    data: dataOf('event', 'The type of the events, for example `order.created`.'),
  },
];

function dataOf(name: string, description: string): JsonSchema {
  return { type: 'object', properties: { [name]: { type: 'string', description } }, required: [name] };
}

function messageSchema(event: string, data: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return {
    type: 'object',
    properties: { type: { type: 'string', const: event }, timestamp: { type: 'string', format: 'date-time' }, ...more, data },
    required: ['type', 'timestamp', 'data'],
  };
}

function delivery(operationId: string, summary: string, body: JsonSchema): OperationObject {
  return {
    operationId,
    summary,
    tags: ['Event'],
    security: [],
    parameters: SIGNATURE,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'The event was received and is not sent again.' },
      410: { description: 'The address is no longer in use. No more events are sent to it.' },
      '4XX': { description: 'The event is sent again, with increasing delays.' },
    },
  };
}

/** Headers of Standard Webhooks. */
const SIGNATURE: readonly Parameter[] = [
  header('webhook-id', 'Id of the message. It is the same for every attempt.'),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.'),
  header(
    'webhook-signature',
    'Space-separated signatures of id, timestamp and body. Each is `v1,` followed by base64 (Standard Webhooks).',
  ),
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
