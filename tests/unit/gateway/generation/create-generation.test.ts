import { describe, expect, it } from '@jest/globals';
import { OperationRejected } from '../../../../gateway/operation/operation-rejected.ts';
import { OperationUnplannable } from '../../../../gateway/planning/query-planner.ts';
import { INTERNAL_ERROR_MESSAGE } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';
import { DEFAULT_LIMITS } from '../../../support/gateway/default-limits.ts';
import { countedGeneration, executableOf } from '../../../support/gateway/counted-generation.ts';
import { errorsOf, catchRejection } from '../../../support/gateway/catch-rejection.ts';
import { EMPTY_PLAN, newGeneration } from '../../../support/gateway/new-generation.ts';

describe('a generation with an invalid operation', () => {
  it.each([
    ['{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['{ nobody }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ me { ledger } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ _entities(representations: []) { __typename } }', 'GRAPHQL_VALIDATION_FAILED'],
    [`{ ${'me { id } '.repeat(1_000)} }`, 'TOKEN_LIMIT_EXCEEDED'],
    [`{ ${'me { id } '.repeat(30)} }`, 'ROOT_FIELD_LIMIT_EXCEEDED'],
    ['query A { me { id } } query B { me { id } }', 'OPERATION_RESOLUTION_FAILURE'],
    ['query A { me { id } } query B { nobody }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('rejects %j with %s every time', (text, code) => {
    const generation = newGeneration();
    expect(errorsOf(() => generation.prepareOperation(text))[0]).toBe(code);
    expect(errorsOf(() => generation.prepareOperation(text))[0]).toBe(code);
  });

  it.each([
    [
      '{ account(id: 1) { id } }',
      '{\n  account(id: 1.5) { id } }',
      'ID cannot represent a non-string and non-integer value: 1.5',
      [{ line: 2, column: 15 }],
    ],
    [
      '{ x: me { id } }',
      '{ x: me { id } x: account(id: 1) { id } }',
      'Fields "x" conflict because "me" and "account" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
      [
        { line: 1, column: 3 },
        { line: 1, column: 16 },
      ],
    ],
    [
      'query ($a: ID!) { account(id: $a) { id } }',
      'query ($mine: ID) { account(id: $mine) { id } }',
      'Variable "$mine" of type "ID" used in position expecting type "ID!".',
      [
        { line: 1, column: 8 },
        { line: 1, column: 33 },
      ],
    ],
    [
      '{ me { ...A } } fragment A on Account { id }',
      '{ me { ...Mine } } fragment Mine on Account { idd }',
      'Cannot query field "idd" on type "Account". Did you mean "id" or "kind"?',
      [{ line: 1, column: 47 }],
    ],
  ])('after the valid %s reports the error of %s with its names and locations', (valid, invalid, message, locations) => {
    const generation = newGeneration();
    generation.prepareOperation(valid);
    expect(catchRejection(() => generation.prepareOperation(invalid)).errors).toEqual([{ message, locations }]);
  });

  it('reports the location of an exceeded limit', () => {
    expect(catchRejection(() => newGeneration().prepareOperation(`\n {${'me{id}'.repeat(21)}}`)).errors[0]?.locations).toEqual([
      { line: 2, column: 2 },
    ]);
  });

  it('names an invalid variable as the client named it', () => {
    const operation = newGeneration().prepareOperation('query ($mine: ID!) { account(id: $mine) { id } }');
    expect(errorsOf(() => operation.coerceVariables({}))).toEqual([
      'BAD_USER_INPUT',
      'Variable "$mine" of required type "ID!" was not provided.',
    ]);
  });

  it('names a null condition as the client named it', async () => {
    const { generation, planned } = countedGeneration();
    const text = 'query ($mine: Boolean = true) { me { id @skip(if: $mine) } }';
    await expect(executableOf(generation, text, { mine: null })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'Variable "$mine" is used in @skip or @include and must be true or false.',
    });
    expect(planned).toEqual([]);
  });
});

describe('a generation whose planner fails', () => {
  it('plans again after a transient error', async () => {
    let round = 0;
    const { generation, planned } = countedGeneration({
      plan: async () => {
        round += 1;
        if (round === 1) throw new Error('out of order');
        return EMPTY_PLAN;
      },
    });
    const both = [
      executableOf(generation, '{ me { id } }'),
      executableOf(generation, '{ x: me { id } }'),
      executableOf(generation, '{ y: me { id } }'),
    ];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await expect(executableOf(generation, '{ me { id } }')).resolves.toHaveProperty('execute');
    expect(planned).toHaveLength(3);
  });

  it('plans and logs an operation that cannot be planned only once', async () => {
    const logged: unknown[] = [];
    const cause = new Error('no edge');
    const logger = { ...silentLogger, error: (facts: unknown) => void logged.push(facts) };
    const { generation, planned } = countedGeneration({ logger, plan: () => Promise.reject(new OperationUnplannable(cause)) });
    for (const text of ['query Mine { me { id } }', '{ me { id } }', 'query Mine { me { id } }']) {
      await expect(executableOf(generation, text)).rejects.toMatchObject({
        code: 'INTERNAL_SERVER_ERROR',
        message: INTERNAL_ERROR_MESSAGE,
      });
    }
    expect(planned).toHaveLength(1);
    expect(logged).toEqual([{ err: cause, operation: 'Mine', supergraph: generation.id }]);
  });

  it('repeats a rejection by the planner without planning again', async () => {
    const error = new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation takes too long to plan.' }]);
    const { generation, planned } = countedGeneration({ plan: () => Promise.reject(error) });
    await expect(executableOf(generation, '{ me { id } }')).rejects.toBe(error);
    await expect(executableOf(generation, '{ x: me { id name } me { id } }')).rejects.toBe(error);
    await expect(executableOf(generation, '{ me { id } }')).rejects.toBe(error);
    expect(planned).toHaveLength(2);
  });

  it('throws OperationUnplannable for a plan that cannot be compiled', async () => {
    const generation = newGeneration({
      onCompile: () => {
        throw new TypeError('no such step');
      },
    });
    await expect(executableOf(generation, '{ me { id } }')).rejects.toBeInstanceOf(OperationUnplannable);
  });
});

describe('equivalent operations of a generation', () => {
  it('share a plan despite other aliases, literals and names, which they retain', async () => {
    const { generation, planned, compiled } = countedGeneration();
    const one = generation.prepareOperation('query One { mine: account(id: 1) { called: name } }');
    const other = generation.prepareOperation('query Other { mine: account(id: "2") { called: name } }');
    expect(await one.executable(one.coerceVariables({}), [])).toBe(await other.executable(other.coerceVariables({}), []));
    expect([one.coerceVariables({}), other.coerceVariables({})]).toEqual([{ l0: '1' }, { l0: '2' }]);
    expect(one.aliases).toEqual(
      new Map([
        ['__a0', 'mine'],
        ['__a1', 'called'],
      ]),
    );
    expect(planned).toEqual([{ document: 'query($l0:ID!){__a0:account(id:$l0){__a1:name}}', conditions: {}, labels: [] }]);
    expect(compiled.map(({ operation }) => operation.name)).toEqual([undefined]);
  });

  it('have the variables of the plan, with defaults and without absent ones', () => {
    const operation = newGeneration().prepareOperation(
      'query ($b: Int, $a: Int = 3, $f: ProductFilter) { x: products(first: $a) { upc } products(first: $b, filter: $f) { upc } }',
    );
    expect(operation.coerceVariables({ f: { title: 'x' } })).toEqual({ v0: 3, v1: { title: 'x', shape: 'ROUND' } });
  });

  it('are planned once for each combination of conditions', async () => {
    const { generation, planned, compiled } = countedGeneration();
    const text = 'query ($a: Boolean!, $b: Boolean! = false) { me { id @skip(if: $b) name @include(if: $a) } }';
    const first = await executableOf(generation, text, { a: true });
    expect(await executableOf(generation, text.replaceAll('$a', '$other'), { other: true, b: false })).toBe(first);
    await executableOf(generation, text, { a: false });
    await executableOf(generation, text, { a: true, b: true });
    expect(planned.map(({ conditions }) => conditions)).toEqual([
      { v0: false, v1: true },
      { v0: false, v1: false },
      { v0: true, v1: true },
    ]);
    expect(compiled[0]?.conditions).toEqual({ v0: false, v1: true });
  });

  it('are planned and compiled once for concurrent callers', async () => {
    const { generation, planned, compiled } = countedGeneration();
    const executables = await Promise.all(Array.from({ length: 20 }, (_, index) => executableOf(generation, `{ x${index}: me { id } }`)));
    expect(new Set(executables).size).toBe(1);
    expect([planned.length, compiled.length]).toEqual([1, 1]);
  });

  it('are separate for two operations of one document', async () => {
    const { generation, planned } = countedGeneration();
    const text = 'query A { me { id } } mutation B($n: String!) { rename(id: 1, name: $n) { id } }';
    const [a, b] = [generation.prepareOperation(text, 'A'), generation.prepareOperation(text, 'B')];
    expect([a.kind, b.kind]).toEqual(['query', 'mutation']);
    expect(generation.prepareOperation(text, 'A')).toBe(a);
    await b.executable(b.coerceVariables({ n: 'x' }), []);
    expect(b.coerceVariables({ n: 'x' })).toEqual({ l0: '1', v0: 'x' });
    expect(planned.map(({ document }) => document)).toEqual(['mutation($v0:String!,$l0:ID!){rename(id:$l0,name:$v0){id}}']);
  });

  it.each(['{ __schema { description } }', 'query Q { a: __type(name: "Account") { name } me { id } }'])(
    'do not include %s, which is planned unchanged',
    async (text) => {
      const { generation, planned } = countedGeneration();
      const operation = generation.prepareOperation(text);
      expect(operation.isIntrospecting).toBe(true);
      expect(operation.aliases).toBeUndefined();
      await operation.executable(operation.coerceVariables({}), []);
      expect(planned[0]?.document.replaceAll(/\s+/g, ' ').trim()).toBe(text.replace('query Q ', ''));
    },
  );
});

describe('a generation', () => {
  it('plans an evicted operation again', async () => {
    const { generation, planned } = countedGeneration({ settings: { maxCachedOperations: 2 } });
    for (const field of ['id', 'name', 'kind', 'id']) await executableOf(generation, `{ me { ${field} } }`);
    expect(planned).toHaveLength(4);
  });

  it('plans and serves an operation again whose plan exceeds the cache size', async () => {
    const { generation, planned } = countedGeneration({ settings: { maxCachedOperationBytes: 3_000 } });
    for (let round = 0; round < 2; round += 1) await expect(executableOf(generation, '{ me { id } }')).resolves.toHaveProperty('execute');
    expect(planned).toHaveLength(2);
  });

  it('plans an evicted combination of conditions again', async () => {
    const { generation, planned } = countedGeneration();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const text = `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}) { ${names.map((name) => `me @skip(if: $${name}) { id }`).join(' ')} }`;
    const combination = (bits: number) => Object.fromEntries(names.map((name, index) => [name, ((bits >> index) & 1) === 1]));
    for (let bits = 0; bits < 65; bits += 1) await executableOf(generation, text, combination(bits));
    await executableOf(generation, text, combination(64));
    expect(planned).toHaveLength(65);
    await executableOf(generation, text, combination(0));
    expect(planned).toHaveLength(66);
  });

  it('never evicts a document with an owner', async () => {
    const { generation, planned } = countedGeneration({ settings: { maxCachedOperations: 3 } });
    const owned = generation.prepare('query Route { me { id name } }');
    const operation = generation.prepareOperation(owned, 'Route');
    const executable = await operation.executable({}, []);
    for (let round = 0; round < 20; round += 1) await executableOf(generation, `{ account(id: 1) { ${'id '.repeat(round + 1)} } }`);
    expect(planned).toHaveLength(21);
    expect(generation.prepareOperation(owned, 'Route')).toBe(operation);
    expect(await operation.executable({}, [])).toBe(executable);
    expect(planned).toHaveLength(21);
  });

  it('prepares a document of another generation from its text', () => {
    const owned = newGeneration().prepare('{ me { id } }');
    expect(newGeneration().prepareOperation(owned).kind).toBe('query');
    expect(owned.document.definitions).toHaveLength(1);
  });

  it('serves a document beyond measured limits and logs it once', () => {
    const logged: unknown[] = [];
    const limits = { ...DEFAULT_LIMITS, maxAliases: 1 };
    const generation = newGeneration({
      settings: { limits: { ...limits, mode: 'measure' } },
      logger: { ...silentLogger, warn: (facts: unknown) => void logged.push(facts) },
    });
    generation.prepareOperation('{ a: me { id } b: me { id } }');
    generation.prepareOperation('{ a: me { id } b: me { id } }');
    expect(logged).toEqual([
      {
        excesses: [{ code: 'ALIAS_LIMIT_EXCEEDED', message: 'The operation has more than 1 aliases, with its fragments expanded.' }],
        supergraph: generation.id,
      },
    ]);
  });

  it('disposes of its planner and its executor', async () => {
    const disposed: string[] = [];
    await newGeneration({ onDispose: (what) => void disposed.push(what) })[Symbol.asyncDispose]();
    expect(disposed).toEqual(['planner', 'executor']);
  });
});

describe('labels of @override', () => {
  const storefront = loadStorefront();
  const labeled = (field: string, label: string) => {
    const sdl = storefront.sdl.replace(
      new RegExp(`(type Product[^}]*?\\n  ${field}[^\\n]*join__field\\(graph: PRODUCTS)`),
      `$1, override: "reviews", overrideLabel: "${label}"`,
    );
    if (sdl === storefront.sdl) throw new Error('The supergraph does not contain the field.');
    return { ...storefront, sdl };
  };

  it('give an operation with such a field a plan for each set of labels', async () => {
    const { generation, planned } = countedGeneration({ loaded: labeled('price', 'percent(50)') });
    const text = '{ products { price } }';
    expect(generation.prepareOperation(text).labels).toEqual(['percent(50)']);
    await executableOf(generation, text);
    await executableOf(generation, text, {}, ['percent(50)']);
    await executableOf(generation, text);
    expect(planned.map(({ labels }) => labels)).toEqual([[], ['percent(50)']]);
    expect(await generation.mostUsed?.(1)).toEqual([{ document: text, conditions: {}, labels: [] }]);
  });

  it('do not affect an operation without such a field', () => {
    expect(countedGeneration({ loaded: labeled('price', 'percent(50)') }).generation.prepareOperation('{ me { id } }').labels).toEqual([]);
  });

  it('affect every operation when the field is in a key', () => {
    const generation = newGeneration({
      loaded: { ...labeled('price', 'late'), sdl: labeled('price', 'late').sdl.replaceAll('key: "upc"', 'key: "upc price"') },
    });
    expect(generation.prepareOperation('{ me { id } }').labels).toEqual(['late']);
  });
});
