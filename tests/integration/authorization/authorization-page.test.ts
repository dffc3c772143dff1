import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway, ObjectResult } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { codeBlocks } from '../../support/pages/code-blocks.ts';

const page = readFileSync(join(packageRoot, 'docs/guides/authorization.md'), 'utf8');
const blocksOf = (language: string) => codeBlocks(page, language);

const [sdl = ''] = blocksOf('graphql schema');
const [request = ''] = blocksOf('json');
const { query } = JSON.parse(request) as { readonly query: string };
const [response = ''] = blocksOf('json output');

const DATA = {
  users: [
    { id: '1', name: 'Ada', email: 'ada@example.com', discount: 5 },
    { id: '2', name: 'Bob', email: 'bob@example.com', discount: 6 },
  ],
  report: 'Secret.',
  invoices: [
    { total: 10, payer: '1' },
    { total: 20, payer: '2' },
  ],
};

describe('the authorization page', () => {
  let gateway: Gateway;
  const requested: string[] = [];
  beforeAll(async () => {
    const composed = composeSubgraphs([{ name: 'all', url: 'http://all.invalid/', files: [{ path: 'all.graphql', text: sdl }] }]);
    if (composed.errors !== undefined) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
    const execute: SubgraphExecutor = async ({ body }) => {
      requested.push(body);
      return { data: DATA };
    };
    const executor = Object.assign(execute, { [Symbol.asyncDispose]: async () => {} });
    const paying = new Set(['1', '7']);
    gateway = await startGuardedGateway(
      { supergraphSdl: composed.supergraphSdl, executor },
      [],
      {},
      {
        policies: (policies, principal) => policies.filter((policy) => policy === 'paying' && paying.has(principal.id)),
      },
    );
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  const request = (text: string, principal: Principal): Promise<ObjectResult> =>
    gateway.executeToObject({
      principal,
      document: { text },
      transport: 'graphql',
      headers: {},
      correlationId: 'page',
      signal: new AbortController().signal,
    });
  const codesOf = ({ data, errors }: ObjectResult) => ({
    data,
    errors: errors.map(({ path, extensions }) => ({ path, code: extensions.code })),
  });
  const user = (id: string): Principal => ({ ...ANONYMOUS, kind: 'user', id });

  it('its schema, operation and caller produce the response on the page', async () => {
    const { data, errors } = codesOf(await request(query, user('1')));
    const expected = JSON.parse(response) as typeof response & { readonly data: unknown; readonly errors: readonly unknown[] };
    expect(data).toEqual(expected.data);
    expect(errors).toEqual(expect.arrayContaining([...expected.errors]));
    expect(errors).toHaveLength(expected.errors.length);
    expect(requested.at(-1)).not.toContain('report');
  });

  it('its policy decides separately for each of two callers', async () => {
    const text = '{ users { discount } }';
    expect(codesOf(await request(text, user('7')))).toEqual({ data: { users: [{ discount: 5 }, { discount: 6 }] }, errors: [] });
    const denied = { path: ['users', 0, 'discount'], code: 'FORBIDDEN' };
    expect(codesOf(await request(text, user('2')))).toMatchObject({
      data: { users: [{ discount: null }, { discount: null }] },
      errors: [denied, { ...denied, path: ['users', 1, 'discount'] }],
    });
  });
});
