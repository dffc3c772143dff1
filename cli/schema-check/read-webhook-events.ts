import { type DirectiveNode, type DocumentNode, GraphQLError, Kind, parse, separateOperations, Source, visit } from 'graphql';
import { CommandFailed } from '../command-failed.ts';
import type { UsingDocument } from './schema-user.ts';

/** Directives of webhook documents, which the gateway does not receive. */
const WEBHOOK_DIRECTIVES: ReadonlySet<string> = new Set(['webhook', 'only', 'entity']);

/**
 * Reads the webhook documents of a directory: each subscription with `@webhook(event:)`, without the directives of webhooks.
 *
 * @throws CommandFailed if the directory cannot be read, or a document has a syntax error
 */
export async function readWebhookEvents(directory: string): Promise<readonly UsingDocument[]> {
  const { readRestDocuments } = await import('../../rest-facade/index.ts');
  let files: ReturnType<typeof readRestDocuments>;
  try {
    files = readRestDocuments(directory);
  } catch (cause) {
    throw new CommandFailed(`The directory of the webhook documents cannot be read: ${directory}. Check the path and its permissions.`, {
      cause,
    });
  }
  return files.flatMap(({ path, text }) => eventsOf(path, parseFile(path, text)));
}

function parseFile(path: string, text: string): DocumentNode {
  try {
    return parse(new Source(text, path));
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const [{ line, column } = { line: 1, column: 1 }] = cause.locations ?? [];
    throw new CommandFailed(`${path}:${line}:${column}: ${cause.message}`, { cause });
  }
}

function eventsOf(file: string, document: DocumentNode): readonly UsingDocument[] {
  return Object.entries(separateOperations(document)).flatMap(([operation, separate]): readonly UsingDocument[] => {
    const definition = separate.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
    const event = eventNameOf(definition?.directives);
    if (event === undefined) return [];
    return [{ user: { kind: 'webhook', event, operation, file }, document: withoutWebhookDirectives(separate) }];
  });
}

function eventNameOf(directives: readonly DirectiveNode[] | undefined): string | undefined {
  const webhook = directives?.find(({ name }) => name.value === 'webhook');
  const value = webhook?.arguments?.find(({ name }) => name.value === 'event')?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

function withoutWebhookDirectives(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: ({ name }) => (WEBHOOK_DIRECTIVES.has(name.value) ? null : undefined) });
}
