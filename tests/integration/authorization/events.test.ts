import { describe, expect, it } from '@jest/globals';
import { createOracle } from '../../fixtures/authorization/oracle.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../../fixtures/authorization/reference-graph.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorization/scoped-graph.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { problemsOfEvents, startStreams } from './event-streams.ts';
import { REFERENCE_EVENTS, SCOPED_EVENTS } from './event-texts.ts';

const reference = prepare(await buildReferenceGraph(), REFERENCE_CALLERS);
const scoped = prepare(buildScopedGraph(), SCOPED_CALLERS);

function prepare(graph: GuardedGraph, callers: readonly Caller[]) {
  return { graph, callers, oracle: createOracle(graph.monolith, graph.policy) };
}

describe.each([
  ['subgraphs receive the identity of the caller', true],
  ['equal streams are shared', false],
])('events, when %s', (_how, isIdentityForwarded) => {
  const ofReference = sharedByTests(async () => startStreams(reference.graph, REFERENCE_CALLERS, isIdentityForwarded));
  const ofScoped = sharedByTests(async () => startStreams(scoped.graph, SCOPED_CALLERS, isIdentityForwarded));

  it.each(REFERENCE_EVENTS)(
    'each of four callers sees what the policy of the reference graph grants: %s',
    async (text) => {
      expect(await problemsOfEvents(ofReference(), reference, text)).toEqual([]);
    },
    60_000,
  );

  it.each(SCOPED_EVENTS)(
    'each of five callers sees what the policy with every directive grants: %s',
    async (text) => {
      expect(await problemsOfEvents(ofScoped(), scoped, text)).toEqual([]);
    },
    60_000,
  );
});

it('an open stream withholds events after the next supergraph adds a rule', async () => {
  const graph = await buildReferenceGraph();
  const rule = / @auth\(requires: ADMIN, orOwner: "id"\)/;
  const open = graph.supergraphSdl
    .replace(new RegExp(`(email: String[^\\n]*)${rule.source}`), '$1')
    .replace('@creatorMayRead(fields: "user { email age }")', '@creatorMayRead(fields: "user { age }")');
  expect(open).not.toBe(graph.supergraphSdl);
  await using streams = await startStreams({ ...graph, supergraphSdl: open }, REFERENCE_CALLERS, false);
  const [anonymous] = REFERENCE_CALLERS;
  if (anonymous === undefined) throw new Error('The list of callers is empty.');
  const stream = await streams.subscribe('subscription { postCreated { post { author { email } } } }', anonymous);
  if (!('next' in stream)) throw new Error(JSON.stringify(stream));
  await streams.happen();
  expect((await stream.next()).value?.result.body).toContain('canary-email-1');
  await streams.load(graph.supergraphSdl);
  await new Promise((resolve) => setTimeout(resolve, 100)); // Streams move to the next generation within their reload window.
  await streams.happen();
  const after = await stream.next().catch((error: unknown) => ({ value: { result: { body: String(error) } } }));
  expect(after.value?.result.body ?? '').not.toContain('canary');
});
