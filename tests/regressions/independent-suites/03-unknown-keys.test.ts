import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { createBudgets } from '../../../gateway/budget/budgets.ts';
import { budget as budgetSection } from '../../../gateway/config/sections/budget.ts';
import { coerceVariables } from '../../../gateway/operation/variables/coerce-variables.ts';
import { OperationRejected } from '../../../gateway/operation/operation-rejected.ts';
import { selectOperation } from '../../../gateway/operation/select-operation.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createLogSampler } from '../../../gateway/platform/log-sampler.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];
const schema = buildSchema(`
  enum Shape { ROUND }
  input Named { ${NAMES.map((name) => `${name}: String`).join(' ')} }
  input Filter { title: String n: Int shape: Shape tags: [Int] }
  type Query { find(filter: Filter, named: Named): Int }
`);

function coerce(declarations: string, raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return coerceVariables(schema, selectOperation(parse(`query (${declarations}) { __typename }`)), raw, { maxDepth: 20, maxErrors: 10 });
}

function errorsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof OperationRejected) return error.errors.map(({ message }) => message);
    throw error;
  }
  return [];
}

/** Creates an object that counts how often its members are read, and how often its keys are listed. */
function counted(keys: number): { readonly value: object; readonly reads: () => number; readonly lists: () => number } {
  let reads = 0;
  let lists = 0;
  const target = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]));
  const value = new Proxy(target, {
    get(object, key, receiver) {
      reads += 1;
      return Reflect.get(object, key, receiver) as unknown;
    },
    ownKeys(object) {
      lists += 1;
      return Reflect.ownKeys(object);
    },
  });
  return { value, reads: () => reads, lists: () => lists };
}

describe('point 03: input objects with unknown keys', () => {
  it('report at most maxErrors errors, each of bounded length', () => {
    const filter = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}${'x'.repeat(1_000)}`, 1]));
    const failures = errorsOf(() => coerce('$filter: Filter', { filter }));
    expect(failures).toHaveLength(10);
    expect(Math.max(...failures.map(({ length }) => length))).toBeLessThan(500);
  });

  it('do not print a value once for each error', () => {
    const KEYS = 10_000;
    const { value, reads } = counted(KEYS);
    expect(errorsOf(() => coerce('$filter: Filter', { filter: value }))).toHaveLength(10);
    expect(reads()).toBeLessThan(2 * KEYS); // One traversal checks reserved keys and depth.
  });

  it('do not list keys more often for ten errors than for one', () => {
    const [one, many] = [1, 10_000].map((keys) => {
      const { value, lists } = counted(keys);
      errorsOf(() => coerce('$filter: Filter', { filter: value }));
      return lists();
    });
    expect(many).toBeLessThanOrEqual(one ?? 0);
  });

  it.each([{ n: {} }, { shape: {} }, { title: {} }, { tags: [{}, {}] }])('reject a large object as %j with a short message', (filter) => {
    const large = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]));
    const [[name, given] = ['', {}]] = Object.entries(filter);
    const failures = errorsOf(() => coerce('$filter: Filter', { filter: { [name]: Array.isArray(given) ? [large, large] : large } }));
    expect(failures.length).toBeGreaterThan(0);
    expect(Math.max(...failures.map(({ length }) => length))).toBeLessThan(800);
  });

  it('accept an empty object when fields are named like inherited object members', () => {
    expect(coerce('$named: Named', { named: {} })).toEqual({ named: {} });
    const named = Object.fromEntries(NAMES.map((name) => [name, 'own']));
    expect(coerce('$named: Named', { named })).toEqual({ named });
  });

  it.each(NAMES)('reject an unknown key "%s"', (name) => {
    expect(errorsOf(() => coerce('$filter: Filter', { filter: { [name]: 1 } })).join()).toContain(`Field "${name}" is not defined`);
  });

  it('charge a long body by its bytes, and a short body nothing', () => {
    const anonymous = { mode: 'enforce', capacity: 5_000, refillPerSecond: 50 } as const;
    const config = { ...budgetSection.parse({}), mode: 'enforce', headers: true, anonymous } as const;
    const clock = { ...systemClock, monotonic: () => 0 };
    const budgets = createBudgets(config, { redis: undefined, clock, sampler: createLogSampler({ logger: silentLogger, clock }) });
    const pay = (bytes: number) => budgets?.of({ principal: ANONYMOUS, headers: {}, remoteAddress: '192.0.2.1' })?.payBody(bytes);
    for (let count = 0; count < 1_000; count += 1) void pay(65_536);
    let paid = 0;
    expect(() => {
      for (; paid < 100; paid += 1) void pay(1_000_000);
    }).toThrow('budget of this caller is used up');
    expect(paid).toBe(5);
  });
});
