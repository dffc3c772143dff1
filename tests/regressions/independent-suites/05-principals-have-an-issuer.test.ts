import { describe, expect, it } from '@jest/globals';
import { compileOwnerRules } from '../../../gateway/auth/owner-rules.ts';
import { parseApiKeys } from '../../../gateway/auth/api-keys.ts';
import { partitionOf } from '../../../gateway/cache/cache-key-parts.ts';
import { auth } from '../../../gateway/config/sections/auth.ts';
import { clientOf } from '../../../gateway/pipeline/stages/resolve-document.ts';
import { flightKeyOf } from '../../../gateway/pipeline/execution/flight-key.ts';
import { shareKeyOf } from '../../../gateway/pipeline/streams/share-key.ts';
import { ANONYMOUS, ownerIdOf, type Principal, principalKeyOf } from '../../../gateway/platform/principal.ts';
import { isSameCaller } from '../../../gateway/subscriptions/permissions.ts';
import { identityKeyOf } from '../../../gateway/subgraph-client/sign-identity.ts';
import { ownerOrAdmin, requireUserId } from '../../../subgraphs/kit/access-rules.ts';

const of = (issuer: string, id = '7', more: Partial<Principal> = {}): Principal => ({ ...ANONYMOUS, kind: 'user', issuer, id, ...more });
const A = of('https://a.example');
const B = of('https://b.example');
const silent = { warn: () => undefined };

/** Keys of the stores that hold entries for one caller. */
const KEYS: readonly (readonly [string, (principal: Principal) => string])[] = [
  ['stores of callers', principalKeyOf],
  ['the response cache', (principal) => partitionOf(principal, {}, [])],
  ['registrations', (principal) => clientOf({ principal, headers: {} }, undefined)],
  ['requests in flight', (principal) => flightKeyOf({ principal, headers: {} }, {}, { labels: [], access: undefined }, [])],
  ['requests to subgraphs', identityKeyOf],
  [
    'shared streams',
    (principal) =>
      shareKeyOf(
        { operation: '', variables: {}, labels: [], access: undefined },
        { principal, headers: {}, correlationId: '', document: { text: '' }, transport: 'websocket', signal: new AbortController().signal },
        { headers: [], isIdentityForwarded: true },
      ),
  ],
];

describe('point 05: principals consist of issuer, kind and subject', () => {
  it.each(KEYS)('have different keys in %s for one subject of two issuers', (_store, keyOf) => {
    expect(keyOf(A)).not.toBe(keyOf(B));
    expect(keyOf(A)).toBe(keyOf({ ...A }));
    expect(keyOf(A)).not.toBe(keyOf({ ...A, kind: 'service' }));
  });

  it('have different keys even with separators in issuer and subject', () => {
    const texts = ['', '"', '","', ':', ' ', '\\', 'a', '["', '}'];
    const pairs = texts.flatMap((issuer) => texts.map((id) => of(issuer, id)));
    expect(new Set(pairs.map(principalKeyOf)).size).toBe(pairs.length);
  });

  it('cannot take over a connection with the same subject of another issuer', () => {
    expect(isSameCaller(A, B)).toBe(false);
  });
});

describe('point 05: principals that can own objects', () => {
  const jwt = (issuer: string) => ({ issuer, audiences: ['us'], jwksFile: 'keys.json' });
  it.each([
    ['one issuer', { providers: { jwt: { a: jwt('a') } } }, ['a']],
    ['two issuers', { providers: { jwt: { a: jwt('a'), b: jwt('b') } } }, []],
    ['two issuers, one of which is configured', { owners: { issuers: ['b'] }, providers: { jwt: { a: jwt('a'), b: jwt('b') } } }, ['b']],
    ['a development key', { developmentKey: 'k'.repeat(32) }, ['gatefold-dev']],
  ])('are subjects of the configured issuers, given %s', (_title, config, owners) => {
    const isOwner = compileOwnerRules(auth.parse(config), silent);
    const all = ['a', 'b', 'gatefold-dev', 'urn:gatefold:api-keys', 'urn:gatefold:basic-users'];
    expect(all.filter((issuer) => isOwner(issuer, 'user'))).toEqual(owners);
    expect(all.filter((issuer) => isOwner(issuer, 'service'))).toEqual([]);
  });

  it('do not include an API key with the id of a user unless the file names the issuer', () => {
    const isOwner = compileOwnerRules(auth.parse({ developmentKey: 'k'.repeat(32) }), silent);
    const key = { sha256: 'a'.repeat(64), subject: '1', kind: 'user' };
    const text = JSON.stringify({
      keys: [
        { id: '1', ...key },
        { id: '2', issuer: 'gatefold-dev', ...key },
      ],
    });
    const keys = parseApiKeys(text, isOwner);
    expect([...keys.values()].map(({ principal }) => ownerIdOf(principal))).toEqual([undefined, '1']);
  });

  it('are the only ones that pass an owner check in a reference subgraph', () => {
    expect(() => ownerOrAdmin({ principal: of('urn:gatefold:api-keys', '1') }, '1')).toThrow('This object belongs to another user.');
    expect(() => requireUserId({ principal: of('urn:gatefold:api-keys', '1') })).toThrow(
      'Only users of this service may perform this operation.',
    );
    expect(ownerOrAdmin({ principal: of('https://a.example', '1', { isOwner: true }) }, '1').id).toBe('1');
  });
});
