import { describe, expect, it } from '@jest/globals';
import { bytesField, integerField, textField } from '../../../../../../gateway/telemetry/traces/otlp/protobuf.ts';
import { readReport } from '../../../../../../gateway/telemetry/traces/otlp/read-report.ts';

describe('the response of a collector', () => {
  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is JSON', Buffer.from('{"partialSuccess":{"rejectedSpans":"3"}}')],
    ['is an unknown field', integerField(7, 1)],
  ])('reports nothing when it %s', (_case, body) => {
    expect(readReport(body)).toEqual({});
  });

  it('is read without its end when it is cut off', () => {
    const body = bytesField(1, integerField(1, 3), textField(2, 'too many'));
    expect(readReport(body.slice(0, -4))).toEqual({ partialSuccess: { rejectedSpans: 3, errorMessage: 'too ' } });
  });

  it('has the number of rejected spans and the reason', () => {
    const body = bytesField(1, integerField(1, 300), textField(2, 'zu viele: ä'));
    expect(readReport(body)).toEqual({ partialSuccess: { rejectedSpans: 300, errorMessage: 'zu viele: ä' } });
  });
});
