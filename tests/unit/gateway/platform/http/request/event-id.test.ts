import { describe, expect, it } from '@jest/globals';
import {
  checkLastEventId,
  isEventId,
  readLastEventId,
  toLastEventIdHeader,
  writeIdLine,
} from '../../../../../../gateway/platform/http/request/event-id.ts';

describe('event ids', () => {
  it.each([
    ['empty', ''],
    ['a number', 17],
    ['a line end', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['a NUL', 'a\0'],
    ['a control character of Latin-1', 'a\u0085'],
    ['longer than 256 characters', 'x'.repeat(257)],
  ])('cannot be %s', (_what, id) => {
    expect(isEventId(id)).toBe(false);
  });

  it.each([[7], ['a\nb'], ['x'.repeat(257)], [{}]])('are rejected if the last id is %j', (id) => {
    expect(() => checkLastEventId(id, 'extensions.lastEventId')).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('"extensions.lastEventId"') }),
    );
  });

  it.each([[undefined], [null], ['']])('are absent if the last id is %j', (id) => {
    expect(checkLastEventId(id, 'extensions.lastEventId')).toBeUndefined();
    expect(writeIdLine(undefined)).toBe('');
  });

  it.each(['17-0', 'ä€', '✓ 💩', 'x'.repeat(256)])('survive a round trip as %j', (id) => {
    expect(isEventId(id)).toBe(true);
    expect(writeIdLine(id)).toBe(`id: ${id}\n`);
    expect(readLastEventId({ 'last-event-id': toLastEventIdHeader(id) })).toBe(id);
  });
});
