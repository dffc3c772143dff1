import { describe, expect, it } from '@jest/globals';
import { createPlanner } from '../../../../gateway/planning/create-planner.ts';
import { OperationUnplannable } from '../../../../gateway/planning/operation-unplannable.ts';
import type { Planner } from '../../../../gateway/planning/planner.ts';
import { INTERNAL_ERROR_MESSAGE } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';
import { faultsOf } from '../operation/refusal-of.ts';
import { newGeneration } from './new-generation.ts';

function countingPlanner(counts: { plans: number }, fail: () => boolean = () => false): Planner {
  const planner = createPlanner(loadStorefront());
  return {
    ...planner,
    async plan(document, operationName) {
      counts.plans += 1;
      if (fail()) throw new Error('the planner is out of order');
      return planner.plan(document, operationName);
    },
  };
}

describe('createGeneration', () => {
  it.each([
    ['{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['{ nobody }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ me { ledger } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ _entities(representations: []) { __typename } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ _service { sdl } }', 'GRAPHQL_VALIDATION_FAILED'],
    [`{ ${'me { id } '.repeat(1_000)} }`, 'TOKEN_LIMIT_EXCEEDED'],
    ['query A { me { id } } query B { me { id } }', 'OPERATION_RESOLUTION_FAILURE'],
  ])('given %j, when preparing, then it is refused as %s, every time', (text, code) => {
    const generation = newGeneration();
    expect(faultsOf(() => generation.prepareOperation(text))[0]).toBe(code);
    expect(faultsOf(() => generation.prepareOperation(text))[0]).toBe(code);
  });

  it('given a schema that is not shown, when a name is misspelt, then none is suggested', () => {
    const generation = newGeneration({ settings: { isSchemaShown: false } });
    expect(faultsOf(() => generation.prepareOperation('{ me { nam } }'))[1]).toBe('Cannot query field "nam" on type "Account".');
    const operation = generation.prepareOperation('query ($f: ProductFilter) { products(filter: $f) { upc } }');
    expect(faultsOf(() => operation.coerceVariables({ f: { titel: 'x' } }))[1]).not.toMatch(/Did you mean/);
  });

  it('given planning that fails, when asked again, then it is tried again', async () => {
    const counts = { plans: 0 };
    const generation = newGeneration({ planner: countingPlanner(counts, () => counts.plans === 1) });
    const operation = generation.prepareOperation('{ me { id } }');
    await expect(Promise.all([operation.executable({}, []), operation.executable({}, [])])).rejects.toThrow('the planner is out of order');
    expect(counts.plans).toBe(1);
    await expect(operation.executable({}, [])).resolves.toHaveProperty('execute');
    expect(counts.plans).toBe(2);
  });

  it('given an operation that cannot be planned, when asked for again and again, then it fails alike and is tried and logged once', async () => {
    const counts = { plans: 0 };
    const logged: unknown[] = [];
    const cause = new Error('no edge from Product(reviews)');
    const planner: Planner = {
      ...countingPlanner(counts),
      async plan() {
        counts.plans += 1;
        throw new OperationUnplannable(cause);
      },
    };
    const logger = { ...silentLogger, error: (facts: unknown) => void logged.push(facts) };
    const generation = newGeneration({ planner, logger });
    for (let round = 0; round < 3; round += 1) {
      const failure = generation.prepareOperation('query Mine { me { id } }').executable({}, []);
      await expect(failure).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR', message: INTERNAL_ERROR_MESSAGE });
    }
    expect(counts.plans).toBe(1);
    expect(logged).toEqual([{ err: cause, operation: 'Mine', supergraph: generation.id }]);
  });

  it('given a plan that cannot be compiled, when asked for again, then it fails alike and is logged once', async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, error: (facts: unknown) => void logged.push(facts) };
    const onCompile = () => {
      throw new TypeError('no such step');
    };
    const generation = newGeneration({ onCompile, logger });
    const failures = [1, 2].map(async () => generation.prepareOperation('{ me { id } }').executable({}, []));
    await expect(Promise.all(failures)).rejects.toThrow(INTERNAL_ERROR_MESSAGE);
    await expect(generation.prepareOperation('{ me { id } }').executable({}, [])).rejects.toThrow(INTERNAL_ERROR_MESSAGE);
    expect(logged).toHaveLength(1);
  });

  it('given many callers at once, when an operation is new, then it is planned and compiled once', async () => {
    const counts = { plans: 0 };
    let compiled = 0;
    const generation = newGeneration({ planner: countingPlanner(counts), onCompile: () => void (compiled += 1) });
    const executables = await Promise.all(
      Array.from({ length: 20 }, async () => generation.prepareOperation('{ me { id } }').executable({}, [])),
    );
    expect(new Set(executables).size).toBe(1);
    expect({ ...counts, compiled }).toEqual({ plans: 1, compiled: 1 });
  });

  it('given one text with two operations, when both are asked for, then each is its own and the document is prepared once', () => {
    const generation = newGeneration();
    const text = 'query A { me { id } } mutation B { rename(id: 1, name: "x") { id } }';
    const [a, b] = [generation.prepareOperation(text, 'A'), generation.prepareOperation(text, 'B')];
    expect([a.kind, b.kind]).toEqual(['query', 'mutation']);
    expect(generation.prepareOperation(text, 'A')).toBe(a);
    expect(generation.prepare(text)).toBe(generation.prepare(text));
  });

  it('given fragments of another operation with other variables, when planning one, then they are no obstacle', async () => {
    const generation = newGeneration();
    const text = 'query A { me { id } } query B($n: Int) { ...F } fragment F on Query { products(first: $n) { upc } }';
    await expect(generation.prepareOperation(text, 'A').executable({}, [])).resolves.toHaveProperty('execute');
  });

  it('given more texts than are kept, when the first comes again, then it is prepared again', () => {
    const generation = newGeneration({ settings: { maxCachedOperations: 2 } });
    const first = generation.prepare('{ me { id } }');
    generation.prepare('{ a: me { id } }');
    generation.prepare('{ b: me { id } }');
    expect(generation.prepare('{ me { id } }')).not.toBe(first);
  });

  it('given texts that are longer than what is kept, when they come again, then they are prepared again and served', () => {
    const generation = newGeneration({ settings: { maxCachedOperationBytes: 40 } });
    const first = generation.prepare('{ me { id name } }');
    generation.prepare('{ me { id name kind } }');
    expect(generation.prepare('{ me { id name } }')).not.toBe(first);
    const long = `{ me { id } } # ${'é'.repeat(40)}`;
    expect(generation.prepare(long)).not.toBe(generation.prepare(long));
  });

  it('given a generation, when it is disposed of, then what it holds is too', async () => {
    let isDisposed = false;
    await newGeneration({ onDispose: () => void (isDisposed = true) })[Symbol.asyncDispose]();
    expect(isDisposed).toBe(true);
  });
});
