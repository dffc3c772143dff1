import { describe, expect, it } from '@jest/globals';
import type { PlanInput } from '../../../../gateway/planning/query-planner.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import type { CompileInput } from '../../../../gateway/generation/create-generation.ts';
import { EMPTY_PLAN, newGeneration } from '../../../support/gateway/new-generation.ts';

function counted() {
  const planned: PlanInput[] = [];
  const compiled: CompileInput[] = [];
  const generation = newGeneration({
    plan: async (input) => {
      planned.push(input);
      return EMPTY_PLAN;
    },
    onCompile: (input) => void compiled.push(input),
  });
  return { generation, planned, compiled };
}

const TEXT = 'query ($brief: Boolean!, $late: Boolean) { me { id @skip(if: $brief) ... @defer(if: $late) { name } } }';

describe('operations with @defer', () => {
  it('reject null as the condition of @defer only for an incremental response', async () => {
    const { generation } = counted();
    const prepared = generation.prepareOperation('query ($late: Boolean = true) { me { ... @defer(if: $late) { name } } }');
    const variables = prepared.coerceVariables({ late: null });
    expect(() => prepared.executable(variables, [], true)).toThrow(GatewayError);
    await expect(prepared.executable(variables, [])).resolves.toBeDefined();
  });

  it.each([
    ['@defer', '{ me { ... @defer { name } } }', {}, true],
    ['@defer that is on', '{ me { ... @defer(if: true) { name } } }', {}, true],
    ['@defer that is off', '{ me { ... @defer(if: false) { name } } }', {}, undefined],
    ['no @defer', '{ me { name } }', {}, undefined],
    ['a variable that is true', TEXT, { brief: true, late: true }, true],
    ['a variable that is false', TEXT, { brief: true, late: false }, false],
    ['a variable that the client leaves out', TEXT, { brief: true }, true],
    [
      'a second @defer that is always on',
      'query ($a: Boolean!) { me { ... @defer(if: $a) { name } ... @defer { id } } }',
      { a: false },
      true,
    ],
  ])('report whether incremental payloads follow for %s', (_name, text, raw, expected) => {
    const prepared = counted().generation.prepareOperation(text);
    expect(prepared.isDeferred?.(prepared.coerceVariables(raw))).toBe(expected);
  });

  it('have one cached plan with and one without incremental delivery', async () => {
    const { generation, planned, compiled } = counted();
    const prepared = generation.prepareOperation(TEXT);
    for (const [raw, isDeferring] of [
      [{ brief: true, late: true }, true],
      [{ brief: true }, true],
      [{ brief: true, late: true }, false],
      [{ brief: true, late: false }, false],
    ] as const) {
      await prepared.executable(prepared.coerceVariables(raw), [], isDeferring);
    }
    expect(planned.map(({ conditions, isDeferring = false }) => ({ conditions, isDeferring }))).toEqual([
      { conditions: { brief: true, late: true }, isDeferring: true },
      { conditions: { brief: true }, isDeferring: false },
    ]);
    expect(compiled.map(({ isDeferring }) => isDeferring)).toEqual([true, false]);
  });

  it('are planned in the same way when another generation is warmed', async () => {
    const before = counted();
    const prepared = before.generation.prepareOperation(TEXT);
    await prepared.executable(prepared.coerceVariables({ brief: false }), [], true);
    const after = counted();
    await after.generation.warm?.((await before.generation.mostUsed?.(1)) ?? [], new AbortController().signal);
    expect(after.planned).toEqual(before.planned);
    expect(after.planned[0]).toMatchObject({ conditions: { brief: false, late: true }, isDeferring: true });
  });
});
