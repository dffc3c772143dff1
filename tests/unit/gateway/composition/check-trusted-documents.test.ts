import { describe, expect, it } from '@jest/globals';
import { checkTrustedDocuments } from '../../../../gateway/composition/follow-configured-supergraph.ts';
import { createGenerations } from '../../../../gateway/generation/generations.ts';
import type { FollowedManifests } from '../../../../gateway/persisted/follow-manifests.ts';
import { indexDocuments, type TrustedDocument } from '../../../../gateway/persisted/trusted-documents.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { newGeneration } from '../../../support/gateway/new-generation.ts';

const GOOD = { id: 'good', text: '{ __typename }', client: 'web' };
const BROKEN = { id: 'broken', text: '{ nothing }', client: 'ios@2' };

function checked(documents: readonly TrustedDocument[]) {
  const errors: unknown[] = [];
  let change: ((documents: readonly TrustedDocument[]) => Promise<void>) | undefined;
  const manifests: FollowedManifests = {
    ...indexDocuments(documents),
    onChange: (check) => {
      change = check;
    },
    async [Symbol.asyncDispose]() {},
  };
  const generations = createGenerations({ logger: silentLogger });
  checkTrustedDocuments(manifests, generations, { ...silentLogger, error: (facts: object | string) => void errors.push(facts) });
  return { errors, generations, change: async (changed: readonly TrustedDocument[]) => change?.(changed) };
}

describe('checkTrustedDocuments', () => {
  it('reports the client of an invalid document before each supergraph is served', async () => {
    const { errors, generations } = checked([GOOD, BROKEN]);
    for (let load = 1; load <= 2; load += 1) {
      await generations.load(() => newGeneration());
      expect(errors).toHaveLength(load);
    }
    expect(errors[0]).toMatchObject({ client: 'ios@2', document: 'broken', code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it('plans the documents before another supergraph is served', async () => {
    const { generations } = checked([GOOD]);
    await generations.load(() => newGeneration());
    const planned: string[] = [];
    await generations.load(() => newGeneration({ onCompile: ({ operation }) => void planned.push(operation.operation) }));
    expect(planned).toEqual(['query']);
  });

  it('checks changed documents against the current or the first supergraph', async () => {
    const { errors, generations, change } = checked([GOOD]);
    await change([BROKEN]);
    expect(errors).toEqual([]);
    await generations.load(() => newGeneration());
    await change([GOOD, BROKEN]);
    expect(errors).toMatchObject([{ document: 'broken' }]);
  });
});
