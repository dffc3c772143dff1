import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { watchProcess } from '../../support/process/built-cli.ts';

interface UserResponse {
  readonly data: {
    readonly user: {
      readonly name: string;
      readonly posts: readonly unknown[];
      readonly orders: { readonly nodes: readonly { readonly shipment: { readonly carrier: string } | null }[] };
    };
  };
  readonly errors?: unknown;
}

const QUERY = '{ user(id: "1") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

/**
 * Serves the reference graph with the given Node binary, queries five subgraphs over GraphQL and one over REST, and ends the process with
 * an interrupt.
 *
 * @returns time until it was ready. @unit milliseconds
 * @throws Error when a response or the exit code is wrong, or the process ends too early
 */
export async function smoke(node: string, env: Readonly<Record<string, string>>): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-node-'));
  try {
    const args = [join(packageRoot, 'dist/cli/main.js'), 'dev', '--port', '0', '--internal-port', '0'];
    const startedAt = performance.now();
    await using gatefold = watchProcess(spawn(node, args, { cwd: directory, env, stdio: 'pipe' }));
    await gatefold.waitFor(/Ctrl-C stops everything/);
    const readyMs = performance.now() - startedAt;
    const [, origin = ''] = await gatefold.waitFor(/(http:\/\/127\.0\.0\.1:\d+)\//);
    const [, token = ''] = await gatefold.waitFor(/USER_TOKEN=(\S+)/);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
    const { data, errors } = (await response.json()) as UserResponse;
    assert.equal(errors, undefined);
    assert.ok(data.user.name !== '' && data.user.posts.length > 0, 'users and posts');
    assert.ok(
      data.user.orders.nodes.some(({ shipment }) => shipment !== null),
      'orders and shipping',
    );
    const book = await fetch(`${origin}/api/books/1`);
    assert.equal(book.status, 200);
    assert.equal(((await book.json()) as { readonly id: number }).id, 1);
    gatefold.signal('SIGINT');
    assert.equal((await gatefold.exit).code, 0);
    return readyMs;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
