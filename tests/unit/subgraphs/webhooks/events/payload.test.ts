import { describe, expect, test } from '@jest/globals';
import { toPayload } from '../../../../../subgraphs/webhooks/events/payload.ts';

const at = new Date('2026-01-31T09:30:00.000Z');
const event = 'order.created';

describe('the body of a message', () => {
  test('given an event, when it is written, then it says what, when, and what the document asked for', () => {
    const { body, isTooLarge } = toPayload({ event, at, data: { orderStatusChanged: { orderId: '7' } } });
    expect({ body, isTooLarge }).toEqual({
      body: '{"type":"order.created","timestamp":"2026-01-31T09:30:00.000Z","data":{"orderStatusChanged":{"orderId":"7"}}}',
      isTooLarge: false,
    });
  });

  test('given an event that is too long, when it is written, then what stands on it directly is left, and that is said', () => {
    const order = { note: 'ż'.repeat(10_000) };
    const { body, isTooLarge } = toPayload({
      event,
      at,
      data: { orderStatusChanged: { orderId: '7', version: 1, order, lines: [order] } },
    });
    expect({ ...JSON.parse(body), isTooLarge }).toEqual({
      type: event,
      timestamp: at.toISOString(),
      isThin: true,
      data: { orderStatusChanged: { orderId: '7', version: 1 } },
      isTooLarge: false,
    });
  });

  test('given one that is too long even so, when it is written, then it cannot be sent', () => {
    const { body, isTooLarge } = toPayload({ event, at, data: { orderStatusChanged: { note: 'x'.repeat(20_000) } } });
    expect({ isTooLarge, length: body.length < 200 }).toEqual({ isTooLarge: true, length: true });
  });
});
