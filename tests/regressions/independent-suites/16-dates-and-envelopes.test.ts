import { describe, expect, it } from '@jest/globals';
import { serveFacade, type ServedFacade } from '../../unit/rest-facade/support/serve-facade.ts';
import { book } from '../../unit/rest-facade/support/library-graph.ts';

/** The note serves as a date here, because the library graph has no date field. */
const DOCUMENT = `"Read"
query Read($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") {
  book(id: $id) @result { id title version @version @internal revision @lastModified @internal }
}
"Change"
mutation Write($id: ID! @in(path: "id"), $patch: UpdateBookInput! @body, $v: Int @ifMatch) @endpoint(method: PATCH, path: "/books/{id}") {
  updateBook(id: $id, patch: $patch, expectedVersion: $v) {
    book @result { id title version @version @internal revision @lastModified @internal }
    errors @userErrors { field message code }
  }
}`;

const SECOND = Date.parse('2026-05-01T10:00:10.000Z');
const ENVELOPE = { accept: 'application/vnd.gatefold.envelope+json' };

/** Starts a facade over one book that counts its changes, with a clock that the test advances. */
async function serveBook(): Promise<{
  facade: ServedFacade;
  moveTo: (ms: number) => void;
  change: () => void;
  toDate: (ms: number) => string;
}> {
  let now = SECOND;
  const state = { version: 1, changedAt: now, title: 'Momo' };
  const change = (): void => {
    state.version += 1;
    state.changedAt = now;
  };
  const current = (id: string) =>
    book(id, { title: state.title, version: state.version, revision: new Date(state.changedAt).toISOString() });
  const facade = await serveFacade({
    documents: [{ path: 'book.graphql', text: DOCUMENT }],
    now: () => now,
    root: {
      book: ({ id }: { id: string }) => current(id),
      updateBook({ id, patch, expectedVersion }: { id: string; patch: { title: string }; expectedVersion?: number | null }) {
        if (expectedVersion != null && expectedVersion !== state.version)
          return { book: null, errors: [{ field: 'expectedVersion', message: 'It has changed.', code: 'VERSION_MISMATCH' }] };
        change();
        state.title = patch.title;
        return { book: current(id), errors: [] };
      },
    },
  });
  return { facade, change, moveTo: (ms) => (now = SECOND + ms), toDate: (ms) => new Date(SECOND + ms).toUTCString() };
}

describe('point 16: dates of a resource', () => {
  it('do not return 304 for a second change within the same second', async () => {
    const { facade, change, moveTo, toDate } = await serveBook();
    await using _ = facade;
    for (const stamp of [300, 0]) {
      moveTo(stamp);
      change();
      moveTo(500);
      const dates = [toDate(0), (await facade.send({ path: '/books/1' })).headers['last-modified']];
      moveTo(stamp === 0 ? 0 : 700);
      change();
      for (const at of [700, 1_000, 60_000]) {
        moveTo(at);
        for (const date of dates) {
          const headers = date === undefined ? undefined : { 'if-modified-since': date };
          if (headers !== undefined) expect((await facade.send({ path: '/books/1', headers })).status).toBe(200);
        }
      }
    }
  });

  it('are sent as Last-Modified only after the second of the change, and never after the Date', async () => {
    const { facade, change, moveTo, toDate } = await serveBook();
    await using _ = facade;
    moveTo(300);
    change();
    const seen = [];
    for (const at of [300, 999, 1_000, 5_000]) {
      moveTo(at);
      seen.push((await facade.send({ path: '/books/1' })).headers['last-modified']);
    }
    expect(seen).toEqual([undefined, undefined, toDate(1_000), toDate(1_000)]);
    const headers = { 'if-modified-since': toDate(1_000) };
    expect((await facade.send({ path: '/books/1', headers })).status).toBe(304);
  });

  it('accept one of two writes with the same If-Unmodified-Since, and none after a later change', async () => {
    const { facade, change, moveTo, toDate } = await serveBook();
    await using _ = facade;
    const write = async (date: string) =>
      (await facade.send({ method: 'PATCH', path: '/books/1', body: { title: 'x' }, headers: { 'if-unmodified-since': date } })).status;
    moveTo(300);
    change();
    moveTo(600);
    expect(await write(toDate(0))).toBe(412);
    expect((await facade.send({ path: '/books/1', headers: { 'if-unmodified-since': toDate(0) } })).status).toBe(412);
    moveTo(1_100);
    expect([await write(toDate(1_000)), await write(toDate(1_000))]).toEqual([200, 412]);
    moveTo(9_000);
    expect(await write(toDate(1_000))).toBe(412);
  });
});

describe('point 16: the entity tag of an envelope', () => {
  it('is strong, is equal for every request id, and is accepted by If-Match', async () => {
    const { facade } = await serveBook();
    await using _ = facade;
    const read = (id: string) => facade.send({ path: '/books/1', headers: { ...ENVELOPE, 'x-correlation-id': id } });
    const [one, other] = [await read('one'), await read('other')];
    expect(one.headers.etag).toMatch(/^"1-[0-9a-f]+"$/);
    expect(other.headers.etag).toBe(one.headers.etag);
    const headers = { ...ENVELOPE, 'if-none-match': String(one.headers.etag) };
    expect((await facade.send({ path: '/books/1', headers })).status).toBe(304);
    const write = { method: 'PATCH', path: '/books/1', body: { title: 'x' }, headers: { 'if-match': String(one.headers.etag) } };
    expect((await facade.send(write)).status).toBe(200);
    expect((await facade.send(write)).status).toBe(412);
  });
});
