import { describe, expect, it } from '@jest/globals';
import { compileAuthorization } from '../../../gateway/authorization/operation-authorization.ts';
import { createAccessRules } from '../../../gateway/authorization/access-rules.ts';
import { rulesFor } from '../../../gateway/composition/build-generation.ts';
import { compileOperation } from '../../../gateway/execution/compile-operation.ts';
import { createGeneration } from '../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../gateway/generation/generation.ts';
import { selectOperation } from '../../../gateway/operation/select-operation.ts';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { GUARDING_SCOPES, manySubgraphs, OVERRIDE_LABELS } from '../../fixtures/many-subgraphs.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';
import { DEFAULT_LIMITS } from '../../support/gateway/default-limits.ts';

const sdl = manySubgraphs({ subgraphs: 20, entities: 30 });
const loaded = loadSupergraph(sdl);
const planner = createQueryPlanner(sdl);
const rules = rulesFor(loaded);
const accessRules = rules && createAccessRules(loaded.schema, rules);

/** @unit bytes */
const MAX_BYTES = 3_000_000;
/** Tolerance for rough estimates: beyond this factor they would not bound anything. */
const FACTOR = 1.5;
/** Memory that does not depend on the number of operations: field shapes and planner estimates. @unit bytes */
const FIXED_BYTES = 3_000_000;
const BOUND = FACTOR * MAX_BYTES + FIXED_BYTES;

function newGeneration(): Generation {
  return createGeneration({
    loaded,
    planner: {
      plan: async (input) => structuredClone(planner.plan(structuredClone(input))),
      [Symbol.asyncDispose]: async () => undefined,
    },
    executor: Object.assign(async () => ({ data: {} }), { [Symbol.asyncDispose]: async () => undefined }),
    compile: compileOperation,
    authorizationOf: (document) => accessRules && compileAuthorization(loaded.schema, accessRules, document, selectOperation(document)),
    settings: {
      maxTokens: 10_000,
      limits: { ...DEFAULT_LIMITS, mode: 'enforce' },
      maxErrors: 10,
      maxVariableDepth: 20,
      isSchemaShown: true,
      maxCachedOperations: 1_000,
      maxCachedOperationBytes: MAX_BYTES,
    },
    logger: silentLogger,
  });
}

interface Growth {
  /** Selections of a document. They differ, so that documents are different operations. */
  readonly text: (index: number) => string;
  readonly variables?: (bits: number) => Readonly<Record<string, boolean>>;
  readonly labels?: (bits: number) => readonly string[];
  readonly principal?: (bits: number) => Principal;
}

const BODY = [0, 1, 2, 3]
  .map((share) => `text${share} number${share} next${share} { id text0 text1 text2 text3 next1 { id text1 text2 } }`)
  .join(' ');
const CONDITIONS = ['a', 'b', 'c', 'd', 'e'];
const isSet = (bits: number, position: number): boolean => ((bits >> position) & 1) === 1;

const GROWTHS: Readonly<Record<string, Growth>> = {
  conditions: {
    text: (index) =>
      `query (${CONDITIONS.map((name) => `$${name}: Boolean!`).join(' ')}) { e${index % 30} { ${BODY} ${CONDITIONS.map((name, position) => `${name}: next${position % 4} @include(if: $${name}) { id text${position % 4} }`).join(' ')} } e${(index + 7) % 30} { id } }`,
    variables: (bits) => Object.fromEntries(CONDITIONS.map((name, position) => [name, isSet(bits, position)])),
  },
  labels: {
    text: (index) =>
      `{ e${index % 30} { ${BODY} ${OVERRIDE_LABELS.map((_label, position) => `moved${position}`).join(' ')} } e${(index + 7) % 30} { id } }`,
    labels: (bits) => OVERRIDE_LABELS.filter((_label, position) => isSet(bits, position)),
  },
  permissions: {
    text: (index) =>
      `{ e${index % 30} { ${BODY} ${GUARDING_SCOPES.map((_scope, position) => `guarded${position}`).join(' ')} } e${(index + 7) % 30} { id } }`,
    principal: (bits) => ({
      ...ANONYMOUS,
      kind: 'user',
      id: '1',
      scopes: new Set(GUARDING_SCOPES.filter((_scope, position) => isSet(bits, position))),
    }),
  },
};

const DOCUMENTS = 10;
const VARIANTS = 32;

async function grow(generation: Generation, { text, variables, labels, principal }: Growth, index: number): Promise<void> {
  for (let bits = 0; bits < VARIANTS; bits += 1) {
    const prepared = generation.prepareOperation(text(index));
    const values = prepared.coerceVariables(variables?.(bits) ?? {});
    const on = labels?.(bits) ?? [];
    const access = principal === undefined ? undefined : prepared.authorization?.decide(principal(bits));
    await prepared.executable(
      values,
      (prepared.labels ?? []).filter((label) => on.includes(label)),
      false,
      { access },
    );
  }
}

describe('point 24: cached operations that grow after they were stored', () => {
  it.each(Object.keys(GROWTHS))('stay within maxCachedOperationBytes with variants by %s', async (name) => {
    const growth = GROWTHS[name];
    if (growth === undefined) throw new Error(`No growth by ${name}.`);
    await using generation = newGeneration();
    const before = await retainedBytes();
    for (let index = 0; index < DOCUMENTS; index += 1) await grow(generation, growth, index);
    expect(await grownBytes(before, BOUND)).toBeLessThan(BOUND);
  });

  it('are bounded by bytes with variants of a document with an owner', async () => {
    await using generation = newGeneration();
    const growth = GROWTHS['conditions'];
    if (growth === undefined) throw new Error('No growth by conditions.');
    const owned = Array.from({ length: DOCUMENTS }, (_, index) => generation.prepare(growth.text(index)));
    const before = await retainedBytes();
    for (let index = 0; index < DOCUMENTS; index += 1) await grow(generation, growth, index);
    expect(await grownBytes(before, BOUND)).toBeLessThan(BOUND);
    expect(owned).toHaveLength(DOCUMENTS);
  });

  it('still run when they are evicted while a request holds them', async () => {
    await using generation = newGeneration();
    const growth = GROWTHS['labels'];
    if (growth === undefined) throw new Error('No growth by labels.');
    const prepared = generation.prepareOperation(growth.text(0));
    const executable = await prepared.executable({}, []);
    for (let index = 1; index < 4; index += 1) await grow(generation, growth, index);
    const run = {
      variables: {},
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      executor: async () => ({ data: {} }),
      signal: new AbortController().signal,
    };
    await expect(executable.execute(run)).resolves.toMatchObject({ data: expect.stringContaining('"e0":null') });
    expect(await prepared.executable({}, [])).toHaveProperty('execute');
  });
});
