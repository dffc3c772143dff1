import { describe, expect, it } from '@jest/globals';
import { createOracle } from '../../fixtures/authorization/oracle.ts';
import type { Policy } from '../../fixtures/authorization/policy.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../../fixtures/authorization/reference-graph.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorization/scoped-graph.ts';
import { accessCases } from './access-paths.ts';
import { problemsOfEvents, startStreams } from './event-streams.ts';
import { REFERENCE_EVENTS, SCOPED_EVENTS } from './event-texts.ts';
import { type Examination, findDifference, findPolicyLines, type PolicyLine, withoutLines } from './policy-lines.ts';
import { REFERENCE_REQUESTS, REFERENCE_ROUTES } from './reference-routes.ts';
import { ABSTRACT_CASES, SCOPED_REQUESTS, SCOPED_ROUTES } from './scoped-routes.ts';

/** Names of each form that reveals whether a rule exists. The matrix itself covers every form. */
const REPORTING = new Set(['direct', 'inline fragment', '__typename only', 'as it is written']);

const reference = await prepareReference();
const scoped = prepareScoped();

async function prepareReference(): Promise<Examination> {
  const graph = await buildReferenceGraph();
  const cases = accessCases(graph, REFERENCE_ROUTES, REFERENCE_REQUESTS).filter(({ form }) => REPORTING.has(form));
  return { graph, oracle: createOracle(graph.monolith, graph.policy), cases, callers: REFERENCE_CALLERS };
}

function prepareScoped(): Examination {
  const graph = buildScopedGraph();
  const cases = [...accessCases(graph, SCOPED_ROUTES, SCOPED_REQUESTS), ...ABSTRACT_CASES].filter(({ form }) => REPORTING.has(form));
  return { graph, oracle: createOracle(graph.monolith, graph.policy), cases, callers: SCOPED_CALLERS };
}

/** Sorts the cases of a coordinate first, because they find a missing rule soonest. */
function about({ coordinate }: PolicyLine, examination: Examination): Examination {
  const isAbout = (of: string): boolean => of === coordinate || of.startsWith(`${coordinate}.`);
  const { cases } = examination;
  return { ...examination, cases: [...cases.filter((one) => isAbout(one.coordinate)), ...cases.filter((one) => !isAbout(one.coordinate))] };
}

const linesOf = ({ graph }: Examination): readonly (readonly [string, PolicyLine])[] =>
  findPolicyLines(graph.supergraphSdl).map((line) => [line.name, line]);

/** Whether only events lead to the coordinate. */
const isOfStreams = ({ coordinate }: PolicyLine): boolean => /^(?:Subscription|Leak)\./.test(coordinate);

async function expectDifferentEvents(line: PolicyLine, { graph, oracle, callers }: Examination, texts: readonly string[]): Promise<void> {
  const changed = { ...graph, supergraphSdl: withoutLines(graph.supergraphSdl, [line]) };
  const problems: string[] = [];
  const field = line.coordinate.split('.')[1] ?? '';
  await using streams = await startStreams(changed, callers, true);
  for (const text of texts.filter((one) => one.includes(field))) {
    problems.push(...(await problemsOfEvents(streams, { oracle, callers }, text)));
  }
  expect(problems).not.toEqual([]);
}

/** A rule that guards what another rule guards as well. */
interface Cover {
  /** Name of the covering rule. */
  readonly name: string;
  /** Remaining policy without the covering rule. */
  readonly requirement: Policy;
}

/**
 * Expects that a covered rule makes no difference alone, but does without the covering rule. The second check uses a policy that does not
 * know the covering rule either.
 */
async function expectDifferenceUncovered(
  { name, coordinate }: PolicyLine,
  { graph, cases, callers }: Examination,
  cover: Cover,
): Promise<void> {
  const policy = { ...graph.policy, ...cover.requirement };
  const examination: Examination = {
    graph: { ...graph, policy },
    oracle: createOracle(graph.monolith, policy),
    cases: cases.filter((one) => one.coordinate === coordinate),
    callers,
  };
  const lines = findPolicyLines(graph.supergraphSdl);
  const covering = lines.filter((line) => line.name === cover.name);
  const covered = lines.filter((line) => line.name === name);
  expect(await findDifference(withoutLines(graph.supergraphSdl, covering), examination)).toBeUndefined();
  expect(await findDifference(withoutLines(graph.supergraphSdl, [...covering, ...covered]), examination)).toBeDefined();
}

describe('the reference graph', () => {
  /** A rule that also guards the coordinates below while both rules exist. */
  const cover: Cover = { name: 'Order @auth(requires: ADMIN, orOwner: "userId")', requirement: { Order: [] } };
  const COVERED: Readonly<Record<string, Cover>> = { 'Order.shipment': cover, 'Order.shippingCost': cover };
  it('has the rules of the policy table in its schema', () => {
    const written = findPolicyLines(reference.graph.supergraphSdl).map(({ name }) => name);
    const expected = Object.entries(reference.graph.policy).flatMap(([coordinate, requirements]) =>
      requirements.flatMap((requirement) => {
        if (requirement.kind !== 'role') return [];
        const owner = requirement.orOwner === undefined ? '' : `, orOwner: "${requirement.orOwner}"`;
        return [`${coordinate} @auth(requires: ${requirement.role}${owner})`];
      }),
    );
    expect(written.toSorted()).toEqual(expected.toSorted());
  });

  it.each(linesOf(reference))(
    'the matrix finds a difference without %s',
    async (_name, line) => {
      const { graph } = reference;
      if (isOfStreams(line)) return expectDifferentEvents(line, reference, REFERENCE_EVENTS);
      const cover = COVERED[line.coordinate];
      if (cover === undefined)
        expect(await findDifference(withoutLines(graph.supergraphSdl, [line]), about(line, reference))).toBeDefined();
      else await expectDifferenceUncovered(line, { ...reference, graph: await buildReferenceGraph() }, cover);
    },
    60_000,
  );
});

describe('the graph with every directive', () => {
  it('has rules at objects, interfaces, fields, scalars and enums', () => {
    const lines = findPolicyLines(scoped.graph.supergraphSdl);
    for (const coordinate of ['Token', 'Rank', 'Vault', 'Manuscript', 'Account.email', 'Node.note', 'Product.rating', 'Query.audit']) {
      expect(lines.map((line) => line.coordinate)).toContain(coordinate);
    }
  });

  /** A caller with a scope is always authenticated, so the scope covers `@authenticated`. */
  const COVERED: Readonly<Record<string, Cover>> = {
    'Account.nickname @authenticated': {
      name: 'Account.nickname @requiresScopes(scopes: [["nick"]])',
      requirement: { 'Account.nickname': [{ kind: 'authenticated' }] },
    },
  };

  /** Whether the rule repeats at an interface what its types already require. Composition adds such rules. */
  const isSummary = ({ coordinate }: PolicyLine): boolean => /^(?:Node|Product)\b/.test(coordinate);
  const summaries = (): readonly PolicyLine[] => findPolicyLines(scoped.graph.supergraphSdl).filter(isSummary);

  it.each(linesOf(scoped).filter(([, line]) => !isSummary(line)))(
    'the matrix finds a difference without %s',
    async (_name, line) => {
      // Summaries are removed together with the rule. Otherwise they would count as rules of the interfaces themselves.
      if (isOfStreams(line)) return expectDifferentEvents(line, scoped, SCOPED_EVENTS);
      const cover = COVERED[line.name];
      if (cover !== undefined) return expectDifferenceUncovered(line, { ...scoped, graph: buildScopedGraph() }, cover);
      expect(await findDifference(withoutLines(scoped.graph.supergraphSdl, [line, ...summaries()]), about(line, scoped))).toBeDefined();
    },
    60_000,
  );

  it('the implementing types guard just as well without the rules that composition writes at interfaces', async () => {
    const abstract = { ...scoped, cases: scoped.cases.filter(({ form }) => form === 'as it is written') };
    expect(summaries().length).toBeGreaterThan(1);
    expect(await findDifference(withoutLines(scoped.graph.supergraphSdl, summaries()), abstract)).toBeUndefined();
  }, 60_000);
});
