import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';

const require = createRequire(import.meta.url);

/** A program of a team that knows only the description. */
const PROGRAM = `
import { Api, type Book, type OrderV2 } from './api.ts';
const [url = '', token = ''] = process.argv.slice(2);
const api = new Api({ baseUrl: url + '/v2', baseApiParams: { headers: { authorization: 'Bearer ' + token } } });

const created = await api.orders.createOrderV2({ productId: 3, quantity: 2 });
const order = created.data as OrderV2;
const id: number = order.id;
const status: 'PENDING' | 'CONFIRMED' | 'SHIPPED' | 'CANCELLED' = order.status;
const read = await api.orders.getOrderV2(id);
const quantity: number = (read.data as OrderV2).quantity;
const changed = await api.orders.updateOrderV2(id, { status: 'CONFIRMED' }, {}, { headers: { 'if-match': read.headers.get('etag') ?? '' } });
const books = await api.books.listBooks({ sort: ['-price'], size: 2 });
const titles: readonly string[] = (books.data.data as Book[]).map((book) => book.title);
const narrow = await api.books.getBook(1, { fields: ['title'] });
const price: number | undefined = narrow.data.price;
const missing = await api.orders.getOrderV2(999_999_999).catch((failure) => failure as { readonly status: number; readonly error: { readonly error: string } });

// The compiler rejects names that the description does not have.
// @ts-expect-error
void (() => api.orders.createOrderV2({ productId: 3, qty: 2 }));
// @ts-expect-error
void (() => api.orders.getOrderV2('7'));
// @ts-expect-error
void (() => api.books.listBooks({ sort: ['colour'] }));
// @ts-expect-error
void (() => read.data.qty);
// With a fields parameter, any field may be missing.
// @ts-expect-error
void ((): number => narrow.data.price);

console.log(JSON.stringify({ status, quantity, changed: changed.data.status, titles: titles.length, price: price ?? null, missing: 'error' in missing && missing.status }));
`;

const TSCONFIG = {
  extends: require.resolve('../../../../tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    outDir: 'dist',
    rootDir: '.',
    lib: ['es2023', 'dom', 'dom.iterable'],
    typeRoots: [join(require.resolve('@types/node/package.json'), '../..')],
    // The style of generated code does not matter.
    noPropertyAccessFromIndexSignature: false,
  },
  files: ['api.ts', 'program.ts'],
  include: [],
};

describeOnStack('a client that is generated from the OpenAPI description', (stack) => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-client-'));
  });

  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('compiles in strict mode and works against version 2', async () => {
    const { text } = await stack.http.get('/v2/openapi.json');
    await writeFile(join(directory, 'openapi.json'), text);
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'program.ts'), PROGRAM);
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    run('swagger-typescript-api/dist/cli.mjs', [
      'generate',
      '-p',
      'openapi.json',
      '-o',
      '.',
      '-n',
      'api.ts',
      '--generate-union-enums',
      '--silent',
    ]);
    run('typescript/lib/tsc.js', ['-p', '.']);
    const owner = await stack.newUser();
    expect(JSON.parse(run(join(directory, 'dist/program.js'), [stack.url, owner.token]))).toEqual({
      status: 'PENDING',
      quantity: 2,
      changed: 'CONFIRMED',
      titles: 2,
      price: null,
      missing: 404,
    });
  }, 120_000);

  function run(script: string, options: readonly string[]): string {
    const file = script.startsWith('/') ? script : join(require.resolve('typescript/package.json'), '../..', script);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...options], { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${script} exited with ${String(status)}:\n${stdout}\n${stderr}`);
    return stdout;
  }
});
