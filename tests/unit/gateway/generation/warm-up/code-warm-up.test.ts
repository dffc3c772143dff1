import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createCodeWarmUp } from '../../../../../gateway/generation/warm-up/code-warm-up.ts';
import type { UsedOperation } from '../../../../../gateway/generation/generation.ts';
import { type Logger, silentLogger } from '../../../../../gateway/platform/logger.ts';
import { eventually } from '../../../../support/time/eventually.ts';

const schema = buildSchema(`type Query { ${Array.from({ length: 30 }, (_, index) => `f${index}: Int`).join(' ')} }`);

interface Recorded {
  readonly prepared: string[];
  readonly create: () => { readonly schema: typeof schema; warm(entries: readonly UsedOperation[]): Promise<void> };
}

function recorded(fail?: Error): Recorded {
  const prepared: string[] = [];
  const warm = (entries: readonly UsedOperation[]): Promise<void> => {
    prepared.push(...entries.map(({ document }) => document));
    return fail === undefined ? Promise.resolve() : Promise.reject(fail);
  };
  return { prepared, create: () => ({ schema, warm }) };
}

describe('createCodeWarmUp', () => {
  it('creates no generation when it is off', () => {
    const create = (): never => {
      throw new Error('A generation was created.');
    };
    expect(() => createCodeWarmUp({ operations: 0, logger: silentLogger }).begin(create)).not.toThrow();
  });

  it('ends at the first failure, and writes no warning', async () => {
    const logged: unknown[] = [];
    const logger: Logger = { ...silentLogger, debug: (facts: unknown) => void logged.push(facts) };
    const { prepared, create } = recorded(new Error('The planner has been closed.'));
    createCodeWarmUp({ operations: 5, logger }).begin(create);
    await eventually(() => logged.length === 1);
    expect(prepared).toHaveLength(1);
  });

  it('prepares the operations once, for the first supergraph', async () => {
    const [first, second] = [recorded(), recorded()];
    const warmUp = createCodeWarmUp({ operations: 5, logger: silentLogger });
    warmUp.begin(first.create);
    warmUp.begin(second.create);
    await eventually(() => new Set(first.prepared).size === 5);
    expect(second.prepared).toEqual([]);
  });
});
