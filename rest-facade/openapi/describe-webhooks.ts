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
 * What is sent to webhooks in a version: subscriptions with `@webhook(event:, since:)`, by the names of their events, and what webhooks
 * say of themselves. Whether they can be served is told by whoever delivers them.
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

/** The whole result, or what is left of one that would be too long. */
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
  description: 'There where the event was longer than 20 kB: what stands directly on it is in `data`, and the rest is to be asked for.',
};

/** Events that no document tells of. */
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
    summary: 'It is asked whether anybody is there; answered with 2xx, the webhook is ACTIVE',
    data: dataOf('webhookId', 'The webhook that was registered, or is to be ACTIVE again.'),
  },
  {
    event: 'webhook.gap',
    operationId: 'WebhookGap',
    summary: 'Events may have been missed: ask for what they would have told',
    data: dataOf('event', 'The kind of events, such as `order.created`.'),
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
