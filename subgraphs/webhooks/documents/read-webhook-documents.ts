import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileWebhookDocuments } from './compile-webhook-document.ts';
import type { WebhookDocument } from './webhook-document.ts';

/**
 * Reads the documents of a directory, by event name.
 *
 * @throws Error that names the file and the mistake; also when two documents have the same event
 */
export async function readWebhookDocuments(directory: string): Promise<ReadonlyMap<string, WebhookDocument>> {
  const documents = new Map<string, WebhookDocument>();
  const names = (await readdir(directory)).filter((name) => name.endsWith('.graphql')).sort();
  for (const name of names) {
    const file = join(directory, name);
    for (const document of compile(file, await readFile(file, 'utf8'))) {
      if (documents.has(document.event)) throw new Error(`${file}: the event ${document.event} already has a document`);
      documents.set(document.event, document);
    }
  }
  return documents;
}

function compile(file: string, text: string): readonly WebhookDocument[] {
  try {
    return compileWebhookDocuments(text);
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
