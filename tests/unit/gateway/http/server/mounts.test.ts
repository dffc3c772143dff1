import { describe, expect, it } from '@jest/globals';
import { createMounts } from '../../../../../gateway/http/server/mounts.ts';

describe('createMounts', () => {
  it.each([['users'], ['/users/'], ['']])('given the path %j, when a handler is mounted there, then it is refused', (path) => {
    expect(() => createMounts().add(() => {}, [path])).toThrow('must start with "/"');
  });

  it.each([['/graphql'], ['/health'], ['/health/ready']])(
    "given the gateway's own path %s, when a handler is mounted there, then it is refused",
    (path) => {
      expect(() => createMounts().add(() => {}, [path])).toThrow(path);
    },
  );

  it('given a path or the rest that is taken, when a second handler wants it, then it is refused', () => {
    const mounts = createMounts();
    mounts.add(() => {}, ['/docs']);
    mounts.add(() => {});
    expect(() => mounts.add(() => {}, ['/docs'])).toThrow('/docs');
    expect(() => mounts.add(() => {})).toThrow('all other paths');
  });

  it('given no handler, when a path is looked up, then there is none', () => {
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
  ])('given handlers for /api, /api/docs and the rest, when %s is looked up, then it belongs to %s', (path, owner) => {
    const handlers = { api: () => {}, docs: () => {}, rest: () => {} };
    const mounts = createMounts();
    mounts.add(handlers.api, ['/api']);
    mounts.add(handlers.rest);
    mounts.add(handlers.docs, ['/api/docs']);
    expect(mounts.find(path)).toBe(handlers[owner as keyof typeof handlers]);
  });
});
