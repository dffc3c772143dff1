import { describe, expect, it } from '@jest/globals';
import {
  checkLastEventId,
  isEventId,
  readLastEventId,
  toLastEventIdHeader,
  writeIdLine,
} from '../../../../../../gateway/platform/http/request/event-id.ts';

describe('ids of events', () => {
  it.each([
    ['nothing', ''],
    ['what is no text', 17],
    ['a line end', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['a NUL', 'a\0'],
    ['a control character of Latin-1', 'a\u0085'],
    ['too much', 'x'.repeat(257)],
  ])('given %s, when it should be an id, then it is none', (_what, id) => {
    expect(isEventId(id)).toBe(false);
  });

  it.each([[7], ['a\nb'], ['x'.repeat(257)], [{}]])('given %j as the last id, when it is read, then it is refused', (id) => {
    expect(() => checkLastEventId(id, 'extensions.lastEventId')).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('"extensions.lastEventId"') }),
    );
  });

  it.each([[undefined], [null], ['']])('given %j as the last id, when it is read, then there is none', (id) => {
    expect(checkLastEventId(id, 'extensions.lastEventId')).toBeUndefined();
    expect(writeIdLine(undefined)).toBe('');
  });

  it.each(['17-0', 'ä€', '✓ 💩', 'x'.repeat(256)])('given the id %j, when it goes out and comes back, then it is the same', (id) => {
    expect(isEventId(id)).toBe(true);
    expect(writeIdLine(id)).toBe(`id: ${id}\n`);
    expect(readLastEventId({ 'last-event-id': toLastEventIdHeader(id) })).toBe(id);
  });
});
