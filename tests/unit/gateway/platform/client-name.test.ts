import { describe, expect, it } from '@jest/globals';
import { readClientLibrary, readClientName } from '../../../../gateway/platform/client-name.ts';

describe('the name of the client in the headers', () => {
  it.each([
    ['none of the headers', {}],
    ['only a version', { 'graphql-client-version': '1' }],
    ['an empty name', { 'graphql-client-name': '' }],
    ['a name that begins with a space', { 'graphql-client-name': ' web' }],
    ['a name with a line break', { 'graphql-client-name': 'web\n{"level":50}' }],
    ['a name of 101 characters', { 'graphql-client-name': 'x'.repeat(101) }],
  ])('given %s, there is none', (_given, headers) => {
    expect(readClientName(headers)).toBeUndefined();
  });

  it('is that of graphql-client-name before that of apollographql-client-name', () => {
    const headers = { 'graphql-client-name': 'one', 'apollographql-client-name': 'two', 'apollographql-client-version': '2' };
    expect(readClientName(headers)).toEqual({ name: 'one' });
  });

  it('is that of apollographql-client-name when graphql-client-name is invalid', () => {
    expect(readClientName({ 'graphql-client-name': '?', 'apollographql-client-name': 'two' })).toEqual({ name: 'two' });
  });

  it('may contain a scope and spaces', () => {
    expect(readClientName({ 'graphql-client-name': '@shop/app for iOS', 'graphql-client-version': '1.2.3-beta+4' })).toEqual({
      name: '@shop/app for iOS',
      version: '1.2.3-beta+4',
    });
  });
});

describe('the library of the client in extensions', () => {
  it.each([
    ['no object', {}],
    ['null', { clientLibrary: null }],
    ['a text', { clientLibrary: 'apollo' }],
    ['a name that is no text', { clientLibrary: { name: 1 } }],
  ])('given %s, there is none', (_given, extensions) => {
    expect(readClientLibrary(extensions)).toBeUndefined();
  });

  it('has a name and a version', () => {
    const clientLibrary = { name: '@apollo/client', version: '4.3.8' };
    expect(readClientLibrary({ clientLibrary })).toEqual(clientLibrary);
  });
});
