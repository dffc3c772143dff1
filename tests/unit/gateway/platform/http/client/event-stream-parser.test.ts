import { describe, expect, it } from '@jest/globals';
import { type StreamMessage, createStreamParser } from '../../../../../../gateway/platform/http/client/event-stream-parser.ts';

function parseIn(pieces: readonly string[], maxLength = 100): readonly StreamMessage[] {
  const messages: StreamMessage[] = [];
  const parser = createStreamParser(maxLength, (message) => messages.push(message));
  for (const piece of pieces) parser.push(piece);
  return messages;
}

describe('reading an event stream', () => {
  const TEXT = '\uFEFF: hello\nevent: next\nid: 7\ndata: {"a":\r\ndata:1}\r\rdata\n\nevent: complete\n\nretry: 5\n\n';
  const READ = [
    { event: 'next', id: '7', data: '{"a":\n1}' },
    { event: 'message', id: '7', data: '' },
    { event: 'complete', id: '7', data: '' },
  ];

  it('given a line, or a message, that is too long, then it is refused', () => {
    expect(() => parseIn([`data: ${'x'.repeat(200)}`])).toThrow(RangeError);
    expect(() => parseIn(['data: xxxxxxxxx\n', ...Array.from({ length: 20 }, () => 'data: xxxxxxxxx\n')])).toThrow(RangeError);
  });

  it('given fields and line breaks of every kind, then each message is read with the last id', () => {
    expect(parseIn([TEXT])).toEqual(READ);
  });

  it('given the same text in pieces of every length, then the same is read', () => {
    for (let length = 1; length <= TEXT.length; length += 1) {
      const pieces = Array.from({ length: Math.ceil(TEXT.length / length) }, (_, index) =>
        TEXT.slice(index * length, (index + 1) * length),
      );
      expect(parseIn(pieces)).toEqual(READ);
    }
  });

  it('given an id without data, then it is told apart, once, and messages are not', () => {
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

  it('given a message that is not finished, then nothing is told of it', () => {
    expect(parseIn(['data: 1\n'])).toEqual([]);
  });
});
