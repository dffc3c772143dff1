import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { classifyDatabaseFailure } from '../../../../../subgraphs/kit/database/database-failure.ts';
import { openServerDatabase } from '../../../../../subgraphs/kit/database/open-server-database.ts';

/** One message of the PostgreSQL protocol: a letter, the length including itself, and the content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUTTING_DOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

describe('a database on a server', () => {
  it('is unavailable, without a crash, when the server closes each new connection', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUTTING_DOWN])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const database = openServerDatabase({ url: `postgres://user@127.0.0.1:${port}/none`, log: silentLogger });
    const requested = [
      database.transaction(async (tx) => tx.execute(sql`select 1`)),
      database.sql.execute(sql`select 1`),
      database.scripts(async ({ query }) => query('select 1')),
    ];
    const failures = await Promise.all(requested.map(async (work) => work.then(() => 'none', classifyDatabaseFailure)));
    expect(failures).toEqual(['unavailable', 'unavailable', 'unavailable']);
    await database.close();
    server.close();
  });
});
