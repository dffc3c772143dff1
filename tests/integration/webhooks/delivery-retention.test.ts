import { expect, test } from '@jest/globals';
import { sql as raw } from 'drizzle-orm';
import { describeOnQueue } from './describe-on-queue.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

describeOnQueue('expired deliveries', (stage) => {
  test('are deleted in batches, with a poll for due messages between them', async () => {
    const { queue, place: position } = stage();
    const { id } = await position();
    const past = new Date(queue.clock.now() - RETENTION_MS - 1_000).toISOString();
    await queue.database.sql.execute(raw`
      insert into webhooks.deliveries (endpoint_id, message_id, event, body, state, next_attempt_at, finished_at)
      select ${id}::bigint, number::text, 'order.created', '{}', 'DEAD', ${past}::timestamptz, ${past}::timestamptz
      from generate_series(1, 2500) number`);
    const steps: string[] = [];
    const watching = queue.database.observe(({ text }) => {
      if (text.includes('skip locked') && text.includes('next.turn')) steps.push('looked');
      if (text.startsWith('delete from "webhooks"."deliveries"')) steps.push('removed');
    });

    await queue.worker().drain();

    watching[Symbol.dispose]();
    expect(steps.slice(0, 6)).toEqual(['looked', 'removed', 'looked', 'removed', 'looked', 'removed']);
    expect(await queue.deliveries(id)).toEqual([]);
  });
});
