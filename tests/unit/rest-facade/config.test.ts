import { describe, expect, it } from '@jest/globals';
import { restSection } from '../../../rest-facade/config.ts';

describe('the configuration section of the facade', () => {
  it.each([
    [{ mounts: [] }],
    [{ mounts: ['api'] }],
    [{ mounts: ['/api/'] }],
    [{ mounts: ['/a//b'] }],
    [{ mounts: ['/{x}'] }],
    [{ maxPageSize: 0 }],
    [{ maxOffset: 1.5 }],
    [{ defaultPageSize: '20' }],
    [{ documents: '' }],
    [{ pageSize: 20 }],
  ])('rejects %j', (section) => {
    expect(restSection.safeParse(section).success).toBe(false);
  });

  it('sets the defaults when the section is empty', () => {
    expect(restSection.parse({})).toMatchObject({
      documents: 'schema/rest',
      mounts: ['', '/api'],
      defaultPageSize: 20,
      maxPageSize: 100,
      maxOffset: 10_000,
    });
  });
});
