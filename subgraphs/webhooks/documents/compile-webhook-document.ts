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

/** Matches event names. The prefix `webhook.` is reserved for messages about webhooks. */
const EVENT_NAME = /^(?!webhook\.)[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;

/**
 * Compiles the operations of one text. The gateway validates their fields against the graph.
 *
 * @throws Error with a message that follows a file name
 */
export function compileWebhookDocuments(text: string): readonly WebhookDocument[] {
  const document = parse(text);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.name === undefined) throw new Error('each operation must have a name');
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
  if ((operation.variableDefinitions?.length ?? 0) > 0)
    throw new Error(`${name} must not have variables, because no request provides their values`);
  const declared = operation.directives?.find((directive) => directive.name.value === 'webhook');
  if (declared === undefined) throw new Error(`${name} requires the directive @webhook(event:)`);
  const event = stringArgument(declared, 'event');
  if (!EVENT_NAME.test(event)) throw new Error(`the event name of ${name} must have the form order.created`);
  const { only, entity } = readBookmarkedFields(document, name);
  return {
    event,
    since: sinceOf(declared, name),
    description: operation.description?.value ?? '',
    text: print(withoutOurs(document)),
    only,
    entity,
  };
}

function readBookmarkedFields(document: DocumentNode, name: string): Pick<WebhookDocument, 'only' | 'entity'> {
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
          if (isInFragment) throw new Error(`@${mark} of ${name} must be in the operation itself, not in a fragment`);
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

/** Removes webhook directives and descriptions from the operation for the gateway. */
function withoutOurs(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: (directive) => (OURS.has(directive.name.value) ? null : undefined),
    OperationDefinition: ({ description: _forPeople, ...operation }) => operation,
  });
}

function stringArgument({ name, arguments: given = [] }: DirectiveNode, argument: string): string {
  const value = given.find((one) => one.name.value === argument)?.value;
  if (value?.kind !== Kind.STRING && value?.kind !== Kind.ENUM)
    throw new Error(`@${name.value} requires the argument ${argument} with a string`);
  return value.value;
}

function sinceOf({ arguments: given = [] }: DirectiveNode, name: string): number {
  const value = given.find((one) => one.name.value === 'since')?.value;
  if (value === undefined) return 1;
  if (value.kind !== Kind.INT || Number(value.value) < 1)
    throw new Error(`the argument "since" of ${name} must be a version number of at least 1`);
  return Number(value.value);
}
