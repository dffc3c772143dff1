import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GraphQLSchema, buildSchema } from 'graphql';
import { readProductConfig } from '../../../cli/configuration.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { createSchemaGenerations } from '../../../rest-facade/executors/schema-generations.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';

describe('point 20: the first start', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'first-'));
  });
  afterEach(async () => rm(parent, { recursive: true }));

  it('describes a path through a file in words', async () => {
    await writeFile(join(parent, 'file'), '');
    const opening = openStorage({ directory: join(parent, 'file/data'), log: silentLogger });
    await expect(opening).rejects.toThrow('a part of the path is a file, not a directory');
  });

  it('retains the REST directories when a variable sets another setting of the section', async () => {
    const env = { GATEFOLD_REST__TITLE: 'Shop', GATEFOLD_AUTH__DEVELOPMENT_KEY: 'x'.repeat(64) };
    const terminal = { env, print: () => {}, warn: () => {}, stopSignal: () => new AbortController().signal };
    const restDirectories = { documents: '/reference/rest', webhooks: '/reference/webhooks' };
    const { rest } = await readProductConfig({}, { profile: 'dev', restDirectories }, terminal);
    expect(rest).toMatchObject({ title: 'Shop', ...restDirectories });
  });

  it('passes to the facade the schema that a stock gateway loaded before', () => {
    const schema = buildSchema('type Query { a: Int }');
    let callback: ((context: { readonly apiSchema: GraphQLSchema }) => void) | undefined;
    const gateway = { schema, onSchemaLoadOrUpdate: (given: typeof callback) => void (callback = given) };
    const bound = createSchemaGenerations(gateway, silentLogger).onGeneration((current) => current);
    expect(bound.acquire().value).toBe(schema);
    const next = buildSchema('type Query { b: Int }');
    callback?.({ apiSchema: next });
    expect(bound.acquire().value).toBe(next);
  });
});
