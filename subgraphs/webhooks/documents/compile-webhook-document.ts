import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
  visit,
} from 'graphql';
import type { ResultPath, WebhookDocument } from './webhook-document.ts';

const OURS: ReadonlySet<string> = new Set(['webhook', 'only', 'entity']);

/** `webhook.` is kept for what webhooks say of themselves. */
const EVENT_NAME = /^(?!webhook\.)[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;

/**
 * Compiles the operations of one text. Whether the graph has their fields is told by the gateway, which knows it.
 *
 * @throws Error in words that follow the name of a file
 */
export function compileWebhookDocuments(text: string): readonly WebhookDocument[] {
  const document = parse(text);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.name === undefined) throw new Error('each operation needs a name');
  }
  return Object.values(separateOperations(document)).map(compile);
}

function compile(document: DocumentNode): WebhookDocument {
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (operation === undefined) throw new Error('it has no operation');
  const name = operation.name?.value ?? '';
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) throw new Error(`${name} must be a subscription`);
  if ((operation.variableDefinitions?.length ?? 0) > 0) throw new Error(`${name} must have no variables: nobody gives them values`);
  const declared = operation.directives?.find((directive) => directive.name.value === 'webhook');
  if (declared === undefined) throw new Error(`${name} needs @webhook(event:)`);
  const event = stringArgument(declared, 'event');
  if (!EVENT_NAME.test(event)) throw new Error(`the event of ${name} must be named like order.created`);
  const { only, entity } = readMarks(document, name);
  return {
    event,
    since: sinceOf(declared, name),
    description: operation.description?.value ?? '',
    text: print(withoutOurs(document)),
    only,
    entity,
  };
}

function readMarks(document: DocumentNode, name: string): Pick<WebhookDocument, 'only' | 'entity'> {
  const only: { path: ResultPath; value: string }[] = [];
  const entities: ResultPath[] = [];
  const path: string[] = [];
  let isInFragment = false;
  visit(document, {
    FragmentDefinition: {
      enter: () => void (isInFragment = true),
      leave: () => void (isInFragment = false),
    },
    Field: {
      enter(field) {
        path.push(field.alias?.value ?? field.name.value);
        for (const directive of field.directives ?? []) {
          const mark = directive.name.value;
          if (mark !== 'only' && mark !== 'entity') continue;
          if (isInFragment) throw new Error(`@${mark} of ${name} must stand in the operation itself, not in a fragment`);
          if (mark === 'only') only.push({ path: [...path], value: stringArgument(directive, 'value') });
          else entities.push([...path]);
        }
      },
      leave: () => void path.pop(),
    },
  });
  if (entities.length > 1) throw new Error(`${name} has more than one field with @entity`);
  return { only, entity: entities[0] };
}

/** What the gateway is asked: without our directives, and without the words for people. */
function withoutOurs(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: (directive) => (OURS.has(directive.name.value) ? null : undefined),
    OperationDefinition: ({ description: _forPeople, ...operation }) => operation,
  });
}

function stringArgument({ name, arguments: given = [] }: DirectiveNode, argument: string): string {
  const value = given.find((one) => one.name.value === argument)?.value;
  if (value?.kind !== Kind.STRING && value?.kind !== Kind.ENUM) throw new Error(`@${name.value} needs ${argument}, a text`);
  return value.value;
}

function sinceOf({ arguments: given = [] }: DirectiveNode, name: string): number {
  const value = given.find((one) => one.name.value === 'since')?.value;
  if (value === undefined) return 1;
  if (value.kind !== Kind.INT || Number(value.value) < 1) throw new Error(`since of ${name} is the number of a version`);
  return Number(value.value);
}
