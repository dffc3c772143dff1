import { describe, expect, it } from '@jest/globals';
import { joinDuplicateHeaders } from '../../../../../../gateway/platform/http/request/join-duplicate-headers.ts';

describe('joinDuplicateHeaders', () => {
  it('joins values that Node.js has dropped, in their order and in any case', () => {
    const headers = { authorization: 'Bearer a', accept: 'x, y' };
    joinDuplicateHeaders({ headers, rawHeaders: ['Authorization', 'Bearer a', 'Accept', 'x', 'accept', 'y', 'AUTHORIZATION', 'Bearer b'] });
    expect(headers).toEqual({ authorization: 'Bearer a, Bearer b', accept: 'x, y' });
  });

  it('leaves single headers unchanged', () => {
    const headers = { authorization: 'Bearer a' };
    joinDuplicateHeaders({ headers, rawHeaders: ['authorization', 'Bearer a', 'Content-Type'] });
    expect(headers).toEqual({ authorization: 'Bearer a' });
  });
});
