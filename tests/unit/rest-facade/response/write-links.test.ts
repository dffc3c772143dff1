import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import type { LinkMapping } from '../../../../rest-facade/compile/links/link.ts';
import type { RouteTable } from '../../../../rest-facade/compile/route-table.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { createLinkWriter, type WriteLinks } from '../../../../rest-facade/response/write-links.ts';
import { libraryRoute } from '../support/bind-library.ts';

const USER: Principal = { ...ANONYMOUS, kind: 'user', id: 'ann' };
const node = {} as LinkMapping['node'];
const link = (rel: string, more: Partial<LinkMapping> = {}): LinkMapping => ({
  rel,
  method: 'GET',
  template: [],
  href: ['/books/', '_link_id', ''],
  node,
  ...more,
});

type Decisions = { readonly denials?: () => 'FORBIDDEN' | undefined; readonly isGranted?: () => boolean };

function writer(
  target: RestRoute | undefined,
  principal: Principal,
  { denials = () => undefined, isGranted = () => false }: Decisions = {},
): WriteLinks {
  const byVersion = new Map(target === undefined ? [] : [[2, target]]);
  const linkTargets = { get: () => byVersion } as unknown as Map<LinkMapping, Map<number, RestRoute>>;
  return createLinkWriter({
    address: { prefix: '/shop/api', suffix: '?version=2' },
    resource: { version: 2 },
    principal,
    table: { linkTargets, accessOf: () => denials, isGranted, documentOf: () => ({}) as ReturnType<RouteTable['documentOf']> },
  });
}

describe('links of a response', () => {
  const open = libraryRoute('GetBook');
  const closed = libraryRoute('DeleteBook');

  it.each<[string, WriteLinks]>([
    ['a missing target', writer(undefined, USER)],
    ['a target that requires credentials', writer(closed, ANONYMOUS)],
    ['a target that the caller may not use', writer(open, USER, { denials: () => 'FORBIDDEN' })],
  ])('are omitted for %s', (_title, write) => {
    expect(write({ _link_id: '7' }, [link('self')])).toEqual({});
  });

  it.each([[{}], [{ _link_id: null }]])('are omitted when the object %j lacks the values of the URL', (owner) => {
    expect(writer(open, USER)(owner, [link('self')])).toEqual({});
  });

  it.each([
    ['OPEN', ['close']],
    ['SHUT', []],
    [null, []],
    [undefined, []],
  ])('the state %j has the links %j', (state, rels) => {
    const condition = { path: ['_link_state'], values: new Set(['OPEN']) };
    const owner = { _link_id: '7', ...(state === undefined ? {} : { _link_state: state }) };
    expect(Object.keys(writer(open, USER)(owner, [link('close', { condition })]))).toEqual(rels);
  });

  it.each<
    [string, { readonly owner: string | number | null; readonly caller?: Principal; readonly isGranted?: boolean }, readonly string[]]
  >([
    ['the owner', { owner: 'ann' }, ['edit']],
    ['the owner by a numeric ID', { owner: 7, caller: { ...USER, id: '7' } }, ['edit']],
    ['another user', { owner: 'bob' }, []],
    ['another user who needs no ownership', { owner: 'bob', isGranted: true }, ['edit']],
    ['an anonymous caller', { owner: null, caller: ANONYMOUS }, []],
    ['a caller with an ID of another issuer', { owner: '7', caller: { ...USER, id: '7', isOwner: false } }, []],
  ])('a link for owners is shown as allowed to %s', (_title, { owner, caller = USER, isGranted = false }, rels) => {
    const write = writer(open, caller, { isGranted: () => isGranted });
    expect(Object.keys(write({ _link_id: '7', _link_owner: owner }, [link('edit', { owner: '_link_owner' })]))).toEqual(rels);
  });

  it('escape values and retain the prefix and suffix of the request URL', () => {
    expect(writer(closed, USER)({ _link_id: 'a/b c' }, [link('self'), link('delete', { method: 'DELETE' })])).toEqual({
      self: { href: '/shop/api/books/a%2Fb%20c?version=2' },
      delete: { href: '/shop/api/books/a%2Fb%20c?version=2', method: 'DELETE' },
    });
  });

  it('check the permissions of the caller once for many objects', () => {
    let requested = 0;
    const count = (): undefined => void (requested += 1);
    const write = writer(open, USER, { denials: count });
    for (let id = 0; id < 50; id += 1) write({ _link_id: String(id) }, [link('self')]);
    expect(requested).toBe(1);
  });
});
