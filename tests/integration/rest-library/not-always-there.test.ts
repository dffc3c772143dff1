import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execute as run, print } from 'graphql';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { cinemaSchema } from '../../fixtures/cinema/cinema-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';

const FILM = `
fragment Film on Film {
  id
  title
  director { id name born @optIn }
  cast(first: 2) @optIn { name born }
  budget @nullOnError
}`;
const TEXT = `${FILM}
query GetFilm($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") { film(id: $id) @result { ...Film } }
query GetTitle($id: ID! @in(path: "id"), $isFull: Boolean! @in(header: "X-Full")) @endpoint(method: GET, path: "/titles/{id}") {
  film(id: $id) @result { id title @include(if: $isFull) year @version(whole: true) }
}
query ListFilms($genre: Genre @in(header: "X-Genre"), $size: Int! @page(role: SIZE), $after: String @page(role: CURSOR))
@endpoint(method: GET, path: "/films") {
  films(first: $size, after: $after, genre: $genre) @result(shape: LIST) {
    edges { node { ...Film } }
    pageInfo { hasNextPage endCursor }
  }
}
query ListOfGenre($genre: Genre! @in(header: "X-Genre"), $size: Int! @page(role: SIZE), $after: String @page(role: CURSOR))
@endpoint(method: GET, path: "/of-genre") {
  films(first: $size, after: $after, genre: $genre) @result(shape: PAGE) {
    edges { node { id } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Path of the film whose budget fails. */
const POOR = '/films/f3';
const ENVELOPE = { accept: 'application/vnd.gatefold.envelope+json' };
const IDA = { id: 'p1', name: 'Ida' };

interface Envelope {
  readonly data: unknown;
  readonly meta: { readonly partial?: unknown };
}

describe('fields that a response may omit', () => {
  const requested: string[] = [];
  const schema = cinemaSchema();
  const facade = createRestFacade({
    documents: [{ path: 'rest/films.graphql', text: TEXT }],
    schema,
    execute: ({ document, variables }) => {
      requested.push(print(document));
      return run({ schema, document, variableValues: variables });
    },
  });
  const server = createServer((request, response) => facade(request, response));
  let http: HttpClient;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    http = createHttpClient({ origin, described: [origin] });
  });
  beforeEach(() => void requested.splice(0));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  describe('fields on demand', () => {
    it.each([
      ['', { id: 'f1', title: 'Film 1', director: IDA, budget: 1_000 }],
      ['?fields=*', { id: 'f1', title: 'Film 1', director: IDA, budget: 1_000 }],
      ['?fields=director', { director: IDA }],
      ['?fields=id,director(id,name)', { id: 'f1', director: IDA }],
    ])('GET /films/f1%s neither returns nor requests fields that it does not name', async (query, film) => {
      const { status, body } = await http.get(`/films/f1${query}`);
      expect({ status, body }).toEqual({ status: 200, body: film });
      expect(requested).toHaveLength(1);
      expect(requested[0]).not.toMatch(/cast|born/);
    });

    it.each([
      [
        'cast',
        {
          cast: [
            { name: 'Ida', born: '1918-02-04' },
            { name: 'Jacques', born: null },
          ],
        },
      ],
      ['cast.name', { cast: [{ name: 'Ida' }, { name: 'Jacques' }] }],
      ['cast(born),id', { id: 'f1', cast: [{ born: '1918-02-04' }, { born: null }] }],
      ['director.born', { director: { born: '1918-02-04' } }],
      ['director,director.born', { director: { ...IDA, born: '1918-02-04' } }],
      ['director.born,director', { director: { ...IDA, born: '1918-02-04' } }],
      ['director.born,director.id', { director: { id: 'p1', born: '1918-02-04' } }],
      ['director.born,*', { id: 'f1', title: 'Film 1', director: { ...IDA, born: '1918-02-04' }, budget: 1_000 }],
      ['*,cast.name', { id: 'f1', title: 'Film 1', director: IDA, cast: [{ name: 'Ida' }, { name: 'Jacques' }], budget: 1_000 }],
    ])('?fields=%s returns the fields that it names', async (fields, film) => {
      const { status, body } = await http.get(`/films/f1?fields=${fields}`);
      expect({ status, body }).toEqual({ status: 200, body: film });
    });

    it.each(['director.*', 'cast(', 'cast)', 'cast()', '(name)', 'cast(name)born', 'cast(name', '*.name'])(
      '?fields=%s returns 400 and runs no operation',
      async (fields) => {
        const { status, body } = await http.get(`/films/f1?fields=${fields}`);
        expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'INVALID_PARAMETER' });
        expect(requested).toEqual([]);
      },
    );
  });

  describe('tolerated fields', () => {
    it('a failed field is null, and the response has `no-store` and no validators', async () => {
      const { status, body, headers, text } = await http.get(POOR);
      expect({ status, body }).toEqual({ status: 200, body: { id: 'f3', title: 'Film 3', director: IDA, budget: null } });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('etag');
      expect(headers).not.toHaveProperty('last-modified');
      expect(text).not.toContain('ECONNREFUSED');
    });

    it('a complete response has an entity tag and is cacheable', async () => {
      const { headers } = await http.get('/films/f1');
      expect(headers['etag']).toMatch(/^"[^"]+"$/);
      expect(headers['cache-control']).not.toBe('no-store');
      const whole = await http.get<Envelope>('/films/f1', { headers: ENVELOPE });
      expect(whole.body.meta).not.toHaveProperty('partial');
    });

    it('the envelope names the missing field and the error code', async () => {
      const { status, body, headers } = await http.get<Envelope>(POOR, { headers: ENVELOPE });
      expect({ status, meta: body.meta }).toMatchObject({
        status: 200,
        meta: { partial: [{ field: 'budget', code: 'INTERNAL_SERVER_ERROR' }] },
      });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('etag');
    });

    it.each([`${POOR}?fields=budget`, `${POOR}?fields=id,budget`])(
      'GET %s returns null for a failed field that is requested by name',
      async (path) => {
        const { status, body, headers } = await http.get(path);
        expect({ status, budget: body['budget'], freshness: headers['cache-control'] }).toEqual({
          status: 200,
          budget: null,
          freshness: 'no-store',
        });
      },
    );

    it('a response is complete when `fields` leaves out the failed field', async () => {
      const { headers } = await http.get(`${POOR}?fields=id,title`);
      expect(headers['etag']).toMatch(/^"[^"]+"$/);
      expect(headers['cache-control']).not.toBe('no-store');
    });

    it('a failed field of one list item leaves the other items intact', async () => {
      const { status, body, headers } = await http.get<readonly { readonly budget: unknown }[]>('/films?first=5&fields=budget');
      expect({ status, budgets: body.map(({ budget }) => budget) }).toEqual({ status: 200, budgets: [1_000, 1_000, null, 1_000, 1_000] });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('etag');
    });

    it('HEAD returns the headers of GET when a field is missing', async () => {
      const head = await http.send({ method: 'HEAD', path: POOR });
      expect({ status: head.status, freshness: head.headers['cache-control'], etag: head.headers['etag'] }).toEqual({
        status: 200,
        freshness: 'no-store',
        etag: undefined,
      });
    });
  });

  describe('a variable that is read from a header', () => {
    it.each([
      ['no value', {}, 'x-genre'],
      ['an empty value', { 'X-Genre': '' }, 'x-genre'],
      ['an unknown enum value', { 'X-Genre': 'MUSICAL' }, 'x-genre'],
      ['two values', { 'X-Genre': ['DRAMA', 'COMEDY'] }, 'x-genre'],
    ])('returns 400 with the header name and runs nothing when a required header has %s', async (_title, headers, field) => {
      const { status, body } = await http.get('/of-genre', { headers });
      expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'BAD_REQUEST' });
      expect(body['details']).toMatchObject([{ field }]);
      expect(requested).toEqual([]);
    });

    it('selects the result by the header and lists the header in Vary', async () => {
      const { body, headers } = await http.get<{ readonly data: unknown }>('/of-genre?first=5', { headers: { 'x-genre': 'COMEDY' } });
      expect(body.data).toEqual([{ id: 'f2' }, { id: 'f4' }]);
      expect(String(headers['vary']).toLowerCase().split(', ')).toContain('x-genre');
    });

    it('two representations of one version have different entity tags', async () => {
      const read = (isFull: string, more = {}) => http.get('/titles/f1', { headers: { 'x-full': isFull, ...more } });
      const [full, short] = [await read('true'), await read('false')];
      expect([full.body, short.body]).toEqual([
        { id: 'f1', title: 'Film 1', year: 1950 },
        { id: 'f1', year: 1950 },
      ]);
      const known = { 'if-none-match': String(full.headers['etag']) };
      expect([(await read('true', known)).status, (await read('false', known)).status]).toEqual([304, 200]);
    });

    it('lists everything without an optional header, which Vary still names', async () => {
      const { status, body, headers } = await http.get<readonly unknown[]>('/films?first=5&fields=id');
      expect({ status, count: body.length }).toEqual({ status: 200, count: 5 });
      expect(String(headers['vary']).toLowerCase().split(', ')).toContain('x-genre');
    });
  });

  it('pages of a bare list have each film once, and links retain the version', async () => {
    const ids: unknown[] = [];
    let path: string | undefined = '/v1/films?first=2&fields=id';
    while (path !== undefined) {
      const { body, headers }: HttpResponse<readonly { readonly id: string }[]> = await http.get(path);
      ids.push(...body.map(({ id }) => id));
      expect(headers).not.toHaveProperty('x-total-count');
      path = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
      if (path !== undefined) expect(path).toMatch(/^\/v1\/films\?first=2&fields=id&after=/);
    }
    expect(ids).toEqual(['f1', 'f2', 'f3', 'f4', 'f5']);
  });
});
