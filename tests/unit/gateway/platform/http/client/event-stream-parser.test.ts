import { describe, expect, it } from '@jest/globals';
import { type StreamMessage, createStreamParser } from '../../../../../../gateway/platform/http/client/event-stream-parser.ts';

function parseIn(pieces: readonly string[], maxLength = 100): readonly StreamMessage[] {
  const messages: StreamMessage[] = [];
  const parser = createStreamParser(maxLength, (message) => messages.push(message));
  for (const piece of pieces) parser.push(piece);
  return messages;
}

describe('createStreamParser', () => {
  const TEXT = '\uFEFF: hello\nevent: next\nid: 7\ndata: {"a":\r\ndata:1}\r\rdata\n\nevent: complete\n\nretry: 5\n\n';
  const READ = [
    { event: 'next', id: '7', data: '{"a":\n1}' },
    { event: 'message', id: '7', data: '' },
    { event: 'complete', id: '7', data: '' },
  ];

  it('throws for a line or a message that is too long', () => {
    expect(() => parseIn([`data: ${'x'.repeat(200)}`])).toThrow(RangeError);
    expect(() => parseIn(['data: xxxxxxxxx\n', ...Array.from({ length: 20 }, () => 'data: xxxxxxxxx\n')])).toThrow(RangeError);
  });

  it('reads messages with all kinds of fields and line breaks, and the last id', () => {
    expect(parseIn([TEXT])).toEqual(READ);
  });

  it('reads the same messages from chunks of any length', () => {
    for (let length = 1; length <= TEXT.length; length += 1) {
      const pieces = Array.from({ length: Math.ceil(TEXT.length / length) }, (_, index) =>
        TEXT.slice(index * length, (index + 1) * length),
      );
      expect(parseIn(pieces)).toEqual(READ);
    }
  });

  it('reports an id without data once and does not treat it as a message', () => {
    const ids: string[] = [];
    const messages: StreamMessage[] = [];
    const parser = createStreamParser(
      100,
      (message) => messages.push(message),
      (id) => ids.push(id),
    );
    parser.push(': hello\n\nid: 5\n\n: still here\n\nid: 6\ndata: {}\n\n\nid: 7\n\n');
    expect({ ids, messages }).toEqual({ ids: ['5', '7'], messages: [{ event: 'message', id: '6', data: '{}' }] });
  });

  it('ignores an incomplete message', () => {
    expect(parseIn(['data: 1\n'])).toEqual([]);
  });
});
