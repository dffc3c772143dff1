import { describe, expect, it } from '@jest/globals';
import { buildSchema } from '@apollo/federation-internals';
import type { FetchDataRewrite, QueryPlanSelectionNode } from '@apollo/query-planner';
import { FieldFailure } from '../../../../gateway/execution/field-failure.ts';
import { compileRepresentations } from '../../../../gateway/execution/representations.ts';

const schema = buildSchema(`
  type Query { p: P }
  interface P { id: ID! }
  type A implements P { id: ID! size: Size box: Box }
  type B implements P { id: ID! }
  type Size { width: Int parts: [[Part]] }
  type Part { weight: Int }
  interface Box { side: Int }
  type Cube implements Box { side: Int edge: Int }
  type Tin implements Box { side: Int lid: Int }
`);

const field = (name: string, selections?: QueryPlanSelectionNode[]): QueryPlanSelectionNode => ({
  kind: 'Field',
  name,
  ...(selections && { selections }),
});
const on = (typeCondition: string, ...selections: QueryPlanSelectionNode[]): QueryPlanSelectionNode => ({
  kind: 'InlineFragment',
  typeCondition,
  selections,
});

function represent(
  entity: Record<string, unknown>,
  requires: QueryPlanSelectionNode[],
  inputRewrites?: FetchDataRewrite[],
  conditionalKeys: ReadonlySet<string> = new Set(),
): unknown {
  const text = compileRepresentations({ schema, requires, inputRewrites, conditionalKeys })(entity);
  return text === undefined ? undefined : JSON.parse(text);
}

describe('given an entity', () => {
  const key = [field('__typename'), field('id')];

  it.each([
    ['without a type name', { id: '1' }],
    ['without its key', { __typename: 'A' }],
    ['whose key failed', { __typename: 'A', id: new FieldFailure([]) }],
    ['of another type', { __typename: 'B', id: '1' }],
    ['of a type that nobody knows', { __typename: 'constructor', id: '1' }],
  ])('when it is one %s, then there is no representation', (_what, entity) => {
    expect(represent(entity, [on('A', ...key)])).toBeUndefined();
  });

  it('when a condition left out something required, then the rest is represented, unless nothing is left', () => {
    const requires = [on('A', ...key, field('size', [field('width')]))];
    const optional = new Set(['id', 'size', 'width']);
    const entity = { __typename: 'A', id: '1' };
    expect(represent(entity, requires, undefined, optional)).toEqual(entity);
    expect(represent({ ...entity, size: {} }, requires, undefined, optional)).toEqual({ ...entity, size: {} });
    expect(represent({ __typename: 'A', size: { width: 1 } }, [...requires, on('P', field('id'))], undefined, optional)).toEqual({
      __typename: 'A',
      size: { width: 1 },
    });
    expect(represent({ __typename: 'A' }, requires, undefined, optional)).toBeUndefined();
    expect(represent({ __typename: 'A' }, [...requires, on('P', field('id'))], undefined, optional)).toBeUndefined();
  });

  it('when something is null, then it is sent as null', () => {
    expect(represent({ __typename: 'A', id: null }, [on('A', ...key)])).toEqual({ __typename: 'A', id: null });
  });

  it('when the condition is an interface, then its implementations are represented', () => {
    expect(represent({ __typename: 'B', id: '1' }, [on('P', ...key)])).toEqual({ __typename: 'B', id: '1' });
    expect(represent({ __typename: 'P', id: '1' }, [on('P', ...key)])).toEqual({ __typename: 'P', id: '1' });
  });

  it('when objects and lists of lists are required, then they are sent with what was required of them', () => {
    const size = { width: 3, height: 9, parts: [[{ weight: 1, name: 'x' }, null], null] };
    const requires = [on('A', ...key, field('size', [field('width'), field('parts', [field('weight')])]))];
    expect(represent({ __typename: 'A', id: '1', size }, requires)).toEqual({
      __typename: 'A',
      id: '1',
      size: { width: 3, parts: [[{ weight: 1 }, null], null] },
    });
    expect(represent({ __typename: 'A', id: '1', size: { width: 1 } }, requires)).toEqual({ __typename: 'A', id: '1', size: null });
  });

  it('when something inside could not be fetched, then there is no representation, the short way and the long', () => {
    const entity = {
      __typename: 'A',
      id: '1',
      size: { width: new FieldFailure([]) },
      box: [{ __typename: 'Tin', lid: new FieldFailure([]) }],
    };
    expect(represent(entity, [on('A', ...key, field('size', [field('width')]))])).toBeUndefined();
    expect(represent(entity, [on('A', ...key, field('box', [field('lid')]))])).toBeUndefined();
    expect(represent(entity, [on('A', ...key, field('box', [on('Tin', field('lid'))]))])).toBeUndefined();
    expect(represent(entity, [on('A', ...key, field('box', [field('side')]))])).toEqual({ __typename: 'A', id: '1', box: [null] });
  });

  it('when what is required depends on a type inside, then only that of the type is sent', () => {
    const requires = [
      on('A', ...key, field('box', [on('Cube', field('__typename'), field('edge')), on('Tin', field('lid')), on('Box', field('side'))])),
    ];
    const entity = { __typename: 'A', id: '1', box: { __typename: 'Cube', edge: 2, side: 4, lid: 5 } };
    expect(represent(entity, requires)).toEqual({ __typename: 'A', id: '1', box: { __typename: 'Cube', edge: 2, side: 4 } });
  });

  it('when several fragments apply and one lacks something, then the others are sent whole', () => {
    const requires = [
      on('A', ...key, field('size', [field('width')])),
      on('A', ...key, field('size', [field('parts', [field('weight')])])),
    ];
    const entity = { __typename: 'A', id: '1', size: { width: 3 } };
    expect(represent(entity, requires)).toEqual({ __typename: 'A', id: '1', size: { width: 3 } });
    expect(represent({ __typename: 'A', id: '1' }, [on('A', ...key), on('A', ...key, field('size', []))])).toEqual({
      __typename: 'A',
      id: '1',
    });
  });

  it('when the planner rewrites it, then it is sent as rewritten, the short way and the long', () => {
    const rewrites: FetchDataRewrite[] = [
      { kind: 'ValueSetter', path: ['... on P', '__typename'], setValueTo: 'P' },
      { kind: 'KeyRenamer', path: ['... on A', 'id'], renameKeyTo: 'key' },
      { kind: 'KeyRenamer', path: ['... on B', 'id'], renameKeyTo: 'other' },
    ];
    const entity = { __typename: 'A', id: '1' };
    expect(represent(entity, [on('A', ...key)], rewrites)).toEqual({ __typename: 'P', key: '1' });
    expect(entity).toEqual({ __typename: 'A', id: '1' });
    expect(represent(entity, [on('A', ...key), on('P', ...key)], rewrites)).toMatchObject({ __typename: 'P' });
  });
});
