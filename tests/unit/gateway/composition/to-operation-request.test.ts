import { describe, expect, it } from '@jest/globals';
import { toOperationRequest } from '../../../../gateway/composition/to-operation-request.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';

const HELLO = '{ greeting }';
const ADA = { ...ANONYMOUS, kind: 'user', id: 'ada' };
const CIRCULAR: { self?: unknown } = {};
CIRCULAR.self = CIRCULAR;

describe('the input of run', () => {
  it.each([
    ['no argument', undefined, 'the argument'],
    ['null', null, 'the argument'],
    ['no query', {}, '"query"'],
    ['an empty query', { query: ' ' }, '"query"'],
    ['variables in a list', { query: HELLO, variables: ['x'] }, '"variables"'],
    ['a BigInt', { query: HELLO, variables: { name: 5n } }, '"variables.name" is a BigInt'],
    ['a BigInt in a list', { query: HELLO, variables: { a: [{ b: 5n }] } }, '"variables.a.0.b" is a BigInt'],
    ['a function', { query: HELLO, variables: { name: () => 1 } }, '"variables.name" is a function'],
    ['a number that JSON cannot contain', { query: HELLO, variables: { name: Number.NaN } }, '"variables.name" is NaN'],
    ['variables that contain themselves', { query: HELLO, variables: CIRCULAR }, 'contains itself'],
    ['an operation name that is a number', { query: HELLO, operationName: 5 }, '"operationName"'],
    ['a principal that is null', { query: HELLO, principal: null }, '"principal"'],
    ['a principal that is a name', { query: HELLO, principal: 'ada' }, '"principal"'],
    ['a principal without sets', { query: HELLO, principal: { ...ADA, roles: [] } }, '"roles"'],
    ['a principal without an id', { query: HELLO, principal: { ...ADA, id: undefined } }, '"principal.id"'],
    ['a principal of an unknown kind', { query: HELLO, principal: { ...ADA, kind: 'admin' } }, '"principal.kind"'],
    ['headers that are a text', { query: HELLO, headers: 'x-tenant: a' }, '"headers"'],
    ['a header that is a number', { query: HELLO, headers: { 'x-tenant': 5 } }, 'the header "x-tenant"'],
    ['headers that are not pairs', { query: HELLO, headers: ['x-tenant'] }, '"headers"'],
    ['a signal that is a controller', { query: HELLO, signal: new AbortController() }, '"signal"'],
  ])('is rejected with a TypeError that names the mistake: %s', (_what, input, mistake) => {
    const convert = () => toOperationRequest(input as never);
    expect(convert).toThrow(TypeError);
    expect(convert).toThrow(/^gateway\.run: /);
    expect(convert).toThrow(mistake);
  });

  it('may contain dates, undefined values and objects without a prototype', () => {
    const variables = { at: new Date(0), absent: undefined, nested: Object.assign(Object.create(null), { list: [null, 1, 'a', true] }) };
    expect(toOperationRequest({ query: HELLO, variables }).variables).toBe(variables);
  });
});
