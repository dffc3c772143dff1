import { describe, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../../../gateway/supergraph/load-supergraph.ts';
import { compileWebhookDocuments } from '../../../../../subgraphs/webhooks/documents/compile-webhook-document.ts';
import { REFERENCE_DOCUMENTS } from '../../../../../subgraphs/reference-webhooks.ts';
import { readWebhookDocuments } from '../../../../../subgraphs/webhooks/documents/read-webhook-documents.ts';
import { entityKeyOf, isOfDocument } from '../../../../../subgraphs/webhooks/documents/webhook-document.ts';

describe('webhook documents', () => {
  test.each([
    ['is not a subscription', 'query A @webhook(event: "a.b") { x }', 'must be a subscription'],
    ['has no name', 'subscription @webhook(event: "a.b") { x }', 'must have a name'],
    ['names no event', 'subscription A { x }', 'requires the directive @webhook'],
    ['has an event that is not a string', 'subscription A @webhook(event: 1) { x }', 'requires the argument event'],
    ['has an event name in another format', 'subscription A @webhook(event: "Created") { x }', 'must have the form order.created'],
    ['uses a reserved event name', 'subscription A @webhook(event: "webhook.ping") { x }', 'must have the form order.created'],
    ['has variables', 'subscription A($id: ID) @webhook(event: "a.b") { x(id: $id) }', 'must not have variables'],
    ['has two entities', 'subscription A @webhook(event: "a.b") { x { y @entity z @entity } }', 'more than one field with @entity'],
    ['has an entity in a fragment', 'subscription A @webhook(event: "a.b") { ...F } fragment F on S { x @entity }', 'not in a fragment'],
    ['has an impossible version', 'subscription A @webhook(event: "a.b", since: 0) { x }', 'must be a version number'],
    ['has a syntax error', 'subscription A {', 'Syntax Error'],
  ])('rejects a document that %s, with the reason', (_what, text, reason) => {
    expect(() => compileWebhookDocuments(text)).toThrow(reason);
  });

  test('strips the directives from the text, filters events and reads the entity key', () => {
    const [document] = compileWebhookDocuments(`
      "An order was placed"
      subscription A @webhook(event: "order.created", since: 2) { shown: changed { kind @only(value: "CREATED") order { id @entity } ...F } }
      fragment F on Changed { at }`);
    expect(document).toMatchObject({ event: 'order.created', since: 2, description: 'An order was placed' });
    expect(document?.text.replaceAll(/\s+/g, ' ')).toBe(
      'subscription A { shown: changed { kind order { id } ...F } } fragment F on Changed { at }',
    );
    if (document === undefined) throw new Error('Expected one document.');
    const created = { shown: { kind: 'CREATED', order: { id: 7 } } };
    expect([isOfDocument(created, document), isOfDocument({ shown: { kind: 'MOVED' } }, document), isOfDocument(null, document)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([entityKeyOf(created, document), entityKeyOf({ shown: null }, document)]).toEqual(['7', null]);
  });

  test('the reference documents are valid for the public schema', async () => {
    const sdl = readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8');
    const { schema } = loadSupergraph(sdl);
    const documents = await readWebhookDocuments(REFERENCE_DOCUMENTS);
    expect([...documents.keys()].toSorted()).toEqual(
      ['comment.added', 'order.created', 'order.status_changed', 'payment.succeeded', 'post.created'].toSorted(),
    );
    for (const { text } of documents.values()) expect(validate(schema, parse(text))).toEqual([]);
  });
});
