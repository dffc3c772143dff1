import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { EVENT_TRANSPORTS } from './event-transports.ts';

const KNOWN = 'subscription Known { bookRenamed { id } }';
const UNKNOWN = 'subscription { bookRenamed { title } }';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const many = (count: number, what: (nth: number) => string): string => Array.from({ length: count }, (_, nth) => what(nth)).join(' ');

/** Error code of an accepted subscription. The subgraph has no streams, so a subgraph error proves that the limits accepted the request. */
const LET_THROUGH = expect.stringMatching(/^SUBGRAPH_/);

describe('limits of every transport for events', () => {
  let folder: string;
  let manifest: string;
  let limited: LibraryGateway;
  let safelist: LibraryGateway;
  let idsOnly: LibraryGateway;
  let poor: LibraryGateway;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-doors-'));
    manifest = join(folder, 'manifest.json');
    const operations = [{ id: 'known', name: 'Known', type: 'subscription', body: KNOWN }];
    await writeFile(manifest, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    const trusted = (mode: 'safelist' | 'id-required') =>
      startLibraryGateway({ config: { persisted: { mode, manifests: { web: manifest } }, limits: { mode: 'measure' } } });
    limited = await startLibraryGateway({ config: { limits: { mode: 'enforce' }, graphql: { maxTokens: 500 } } });
    safelist = await trusted('safelist');
    idsOnly = await trusted('id-required');
    poor = await startLibraryGateway({
      config: { budget: { mode: 'enforce', anonymous: { capacity: 1_000, refillPerSecond: 1 }, weights: { query: 1_000 } } },
    });
    await EVENT_TRANSPORTS[0]?.error(poor.url, { query: KNOWN }); // This request exhausts the budget of the address.
  });
  afterAll(async () => {
    for (const gateway of [limited, safelist, idsOnly, poor]) await gateway[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  describe.each(EVENT_TRANSPORTS)('$name', ({ error }) => {
    it.each([
      ['not GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
      ['not valid', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['selecting two streams', 'subscription { a: bookRenamed { id } b: bookRenamed { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['full of aliases', `subscription { bookRenamed { ${many(40, (nth) => `a${nth}: id`)} } }`, 'ALIAS_LIMIT_EXCEEDED'],
      ['full of directives', `subscription { bookRenamed { id ${many(60, () => '@include(if: true)')} } }`, 'DIRECTIVE_LIMIT_EXCEEDED'],
      ['longer than the token limit', `subscription { bookRenamed { ${many(600, () => 'id')} } }`, 'TOKEN_LIMIT_EXCEEDED'],
    ])('rejects a subscription that is %s', async (_what, query, code) => {
      expect(await error(limited.url, { query })).toBe(code);
    });

    it('accepts a subscription within all limits', async () => {
      expect(await error(limited.url, { query: KNOWN })).toEqual(LET_THROUGH);
    });

    it('registers a persisted query when its text follows an unknown hash', async () => {
      const query = `${UNKNOWN} # ${Math.random()}`;
      const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
      expect(await error(limited.url, { extensions })).toBe('PERSISTED_QUERY_NOT_FOUND');
      expect(await error(limited.url, { query, extensions })).toEqual(LET_THROUGH);
      expect(await error(limited.url, { extensions })).toEqual(LET_THROUGH);
    });

    it('rejects a text that does not match its hash', async () => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: sha256('another') } };
      expect(await error(limited.url, { query: KNOWN, extensions })).toBe('PERSISTED_QUERY_HASH_MISMATCH');
    });

    it('accepts only trusted documents, by text or by ID', async () => {
      expect(await error(safelist.url, { query: UNKNOWN })).toBe('PERSISTED_QUERY_NOT_IN_LIST');
      expect(await error(safelist.url, { query: KNOWN })).toEqual(LET_THROUGH);
      expect(await error(safelist.url, { documentId: 'known' })).toEqual(LET_THROUGH);
      expect(await error(safelist.url, { documentId: 'unknown' })).toMatch(/^PERSISTED_QUERY_NOT_/);
    });

    it('rejects the text of a listed document when IDs are required', async () => {
      expect(await error(idsOnly.url, { query: KNOWN })).toBe('PERSISTED_QUERY_ID_REQUIRED');
      expect(await error(idsOnly.url, { documentId: 'known' })).toEqual(LET_THROUGH);
    });

    it('rejects a subscription over the budget of the address', async () => {
      expect(await error(poor.url, { query: KNOWN })).toBe('RATE_LIMITED');
    });
  });
});
