import { describe, expect, it } from '@jest/globals';
import { createMounts } from '../../../../../gateway/http/server/mounts.ts';

describe('createMounts', () => {
  it.each([['users'], ['/users/'], ['']])('rejects the invalid path %j', (path) => {
    expect(() => createMounts().add(() => {}, [path])).toThrow('must start with "/"');
  });

  it.each([['/graphql'], ['/health'], ['/health/ready']])('rejects the path %s, which belongs to the gateway', (path) => {
    expect(() => createMounts().add(() => {}, [path])).toThrow(path);
  });

  it('rejects a second handler for a path or for all other paths', () => {
    const mounts = createMounts();
    mounts.add(() => {}, ['/docs']);
    mounts.add(() => {});
    expect(() => mounts.add(() => {}, ['/docs'])).toThrow('/docs');
    expect(() => mounts.add(() => {})).toThrow('all other paths');
  });

  it('finds no handler before one is mounted', () => {
    expect(createMounts().find('/users')).toBeUndefined();
  });

  it.each([
    ['/api', 'api'],
    ['/api/users', 'api'],
    ['/api/docs', 'docs'],
    ['/api/docs/x', 'docs'],
    ['/api/docsx', 'api'],
    ['/apix', 'rest'],
    ['/', 'rest'],
  ])('finds among nested paths and the rest, for %s, the handler of %s', (path, owner) => {
    const handlers = { api: () => {}, docs: () => {}, rest: () => {} };
    const mounts = createMounts();
    mounts.add(handlers.api, ['/api']);
    mounts.add(handlers.rest);
    mounts.add(handlers.docs, ['/api/docs']);
    expect(mounts.find(path)).toBe(handlers[owner as keyof typeof handlers]);
  });
});
