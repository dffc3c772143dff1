import { describe, expect, it } from '@jest/globals';
import { book } from '../support/library-graph.ts';
import { BY_ID, ERRORS, GET_BOOK, get } from '../support/document-parts.ts';
import { serveFacade } from '../support/serve-facade.ts';

const READ = get(BY_ID, GET_BOOK, 'book(id: $id) @result { id title version @version @internal }').replace('query Q', 'query Read');
const WRITE = `mutation Write(${BY_ID}, $patch: UpdateBookInput! @body, $v: Int @ifMatch(required: true)) @endpoint(method: PATCH, path: "/books/{book_id}") {
  updateBook(id: $id, patch: $patch, expectedVersion: $v) { book @result { id title version @version @internal } ${ERRORS} }
}`;
const documents = [{ path: 'conditions.graphql', text: `${READ}\n${WRITE}` }];

/** The current version is 7. */
const updateBook = ({ id, expectedVersion }: { readonly id: string; readonly expectedVersion?: number | null }) =>
  expectedVersion === undefined || expectedVersion === null || expectedVersion === 7
    ? { book: book(id, { version: 8 }), errors: [] }
    : { book: null, errors: [{ field: 'expectedVersion', message: 'It has changed.', code: 'VERSION_MISMATCH' }] };

const patch = (headers: Readonly<Record<string, string>> = {}) => ({ method: 'PATCH', path: '/books/1', body: { title: 'x' }, headers });

describe('conditional writes', () => {
  it('returns 428 without execution when a required condition is missing', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    const { status, json } = await facade.send(patch());
    expect({ status, error: json['error'] }).toEqual({ status: 428, error: 'PRECONDITION_REQUIRED' });
    expect(facade.seen).toEqual([]);
  });

  it('returns 412 or the configured 409 and names `If-Match` for another version', async () => {
    for (const ifMatchFailure of [412, 409] as const) {
      await using facade = await serveFacade({ documents, root: { updateBook }, ifMatchFailure });
      const { status, json } = await facade.send(patch({ 'if-match': '"6-abcdef"' }));
      expect({ status, error: json['error'] }).toEqual({ status: ifMatchFailure, error: 'VERSION_MISMATCH' });
      expect(json['details']).toEqual([{ field: 'If-Match', message: 'It has changed.' }]);
    }
  });

  it('returns 412 with a message of the facade when no tag contains a version', async () => {
    const reported = ({ expectedVersion }: { readonly expectedVersion: number }) => ({
      book: null,
      errors: [{ field: 'expectedVersion', message: `Version ${expectedVersion} was expected.`, code: 'VERSION_MISMATCH' }],
    });
    await using facade = await serveFacade({ documents, root: { updateBook: reported } });
    for (const tag of ['"x"', 'W/"7-abcdef"']) {
      const { status, json } = await facade.send(patch({ 'if-match': tag }));
      expect({ status, error: json['error'] }).toEqual({ status: 412, error: 'VERSION_MISMATCH' });
      expect(json['message']).not.toContain('-1');
      expect(json['details']).toEqual([{ field: 'If-Match', message: expect.stringContaining('ETag') }]);
    }
  });

  it('`If-None-Match: *` on an existing resource returns 412 with any other condition', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook }, ifMatchFailure: 409 });
    for (const more of [{}, { 'if-match': '*' }, { 'if-match': '"7-abcdef"' }, { 'if-unmodified-since': new Date(0).toUTCString() }]) {
      const { status, json } = await facade.send(patch({ ...more, 'if-none-match': '*' }));
      expect({ status, error: json['error'] }).toEqual({ status: 412, error: 'PRECONDITION_FAILED' });
      expect(json).toMatchObject({ message: expect.stringContaining('If-None-Match: *') });
    }
    expect(facade.seen.every(({ variables }) => variables['v'] === -1)).toBe(true);
  });

  it('writes over the current version when `If-None-Match` lists only other versions', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    const { status } = await facade.send(patch({ 'if-none-match': '"6-abcdef", W/"8-abcdef", "x"' }));
    expect(status).toBe(200);
    expect(facade.seen.map(({ variables }) => variables['v'])).toEqual([undefined, 7]);
  });

  it('returns 412 and does not write when `If-None-Match` lists the current version', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    for (const header of ['"7-abcdef"', 'W/"6-abcdef", W/"7-000000-br"']) {
      const { status, json } = await facade.send(patch({ 'if-none-match': header }));
      expect({ status, error: json['error'] }).toEqual({ status: 412, error: 'PRECONDITION_FAILED' });
    }
    expect(facade.seen.map(({ text }) => text.startsWith('query'))).toEqual([true, true]);
  });

  it('writes without a lookup when `If-None-Match` lists only foreign tags', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    expect((await facade.send(patch({ 'if-none-match': '"x"' }))).status).toBe(200);
    expect(facade.seen).toHaveLength(1);
  });

  it('returns 412 when the resource changes between the check and the write', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook, book: () => book('1', { version: 6 }) } });
    const { status, json } = await facade.send(patch({ 'if-none-match': '"5-abcdef"' }));
    expect({ status, error: json['error'] }).toEqual({ status: 412, error: 'PRECONDITION_FAILED' });
    expect(json).toMatchObject({ message: expect.stringContaining('in the meantime') });
  });

  it('`If-None-Match` without a version: a list is ignored, and `*` returns 412', async () => {
    await using facade = await serveFacade();
    const create = (header: string) =>
      facade.send({ method: 'POST', path: '/books', body: { title: 'Emma' }, headers: { 'if-none-match': header } });
    expect((await create('"x"')).status).toBe(201);
    const { status, json } = await create('*');
    expect({ status, error: json['error'] }).toEqual({ status: 412, error: 'PRECONDITION_FAILED' });
    expect(json).toMatchObject({ message: expect.stringContaining('If-None-Match: *') });
  });

  it('tries each version of `If-Match` until one matches', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    const { status } = await facade.send(patch({ 'if-match': '"5-abcdef", "7-abcdef", "9-abcdef"' }));
    expect(status).toBe(200);
    expect(facade.seen.map(({ variables }) => variables['v'])).toEqual([5, 7]);
  });

  it('a conditional write returns the ETag that the next read returns', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook, book: () => book('1', { version: 8 }) } });
    const { headers } = await facade.send(patch({ 'if-match': '"7-abcdef"' }));
    expect(headers['etag']).toBe((await facade.send({ path: '/books/1' })).headers['etag']);
    expect(headers['content-location']).toBe('/books/1');
  });

  it('selects a hidden version for the ETag of a narrowed read, and does not show it', async () => {
    await using facade = await serveFacade({ documents });
    const { json, headers } = await facade.send({ path: '/books/1?fields=title' });
    expect(json).toEqual({ title: 'Book 1' });
    expect(headers['etag']).toMatch(/^"7-[0-9a-f]{6}"$/);
  });

  it('selects no content for a write with `return=minimal`', async () => {
    await using facade = await serveFacade({ documents, root: { updateBook } });
    const { status, text, headers } = await facade.send(patch({ 'if-match': '*', prefer: 'return=minimal' }));
    expect({ status, text, applied: headers['preference-applied'] }).toEqual({ status: 204, text: '', applied: 'return=minimal' });
    expect(facade.seen[0]?.text).not.toContain('title');
  });
});
