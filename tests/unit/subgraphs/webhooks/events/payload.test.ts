import { describe, expect, test } from '@jest/globals';
import { toPayload } from '../../../../../subgraphs/webhooks/events/payload.ts';

const at = new Date('2026-01-31T09:30:00.000Z');
const event = 'order.created';

describe('the body of a message', () => {
  test('has the type, the timestamp and the data of the document', () => {
    const { body, isTooLarge } = toPayload({ event, at, data: { orderStatusChanged: { orderId: '7' } } });
    expect({ body, isTooLarge }).toEqual({
      body: '{"type":"order.created","timestamp":"2026-01-31T09:30:00.000Z","data":{"orderStatusChanged":{"orderId":"7"}}}',
      isTooLarge: false,
    });
  });

  test('reduces a large event to its scalar fields and flags it as thin', () => {
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

  test('is too large when the thin event exceeds the limit', () => {
    const { body, isTooLarge } = toPayload({ event, at, data: { orderStatusChanged: { note: 'x'.repeat(20_000) } } });
    expect({ isTooLarge, length: body.length < 200 }).toEqual({ isTooLarge: true, length: true });
  });
});
