import { buildGeneration } from '../../../gateway/composition/build-generation.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { createGenerations } from '../../../gateway/generation/generations.ts';
import { GatewayError } from '../../../gateway/index.ts';
import type { EventStream } from '../../../gateway/pipeline/streams/event-stream.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { SubgraphStreamListener, SubgraphStreamRequest, SubgraphStreams } from '../../../gateway/supergraph/subgraph-streams.ts';
import type { GuardedGraph } from '../../fixtures/authorisation/guarded-graph.ts';
import type { AnswerLike } from '../../fixtures/authorisation/oracle.ts';
import type { Caller } from '../../fixtures/authorisation/policy.ts';
import { pipelineOver } from '../../support/gateway/new-pipeline.ts';
import { compare, type Matrix } from './run-matrix.ts';

/** Starts a real pipeline with test subgraphs that send an event when the test calls `happen`. */
export async function startStreams(graph: GuardedGraph, callers: readonly Caller[], isIdentityTold: boolean) {
  const listening = new Map<SubgraphStreamListener, SubgraphStreamRequest>();
  const upstream: SubgraphStreams = {
    addressOf: (subgraph) => subgraph,
    open(request, listener) {
      listening.set(listener, request);
      queueMicrotask(() => listener.onOpen());
      return { lastEventId: undefined, close: () => void listening.delete(listener) };
    },
    async [Symbol.asyncDispose]() {},
  };
  const generations = createGenerations({ logger: silentLogger });
  const config = resolveGatewayConfig({ profile: 'dev', limits: { mode: 'measure' }, supergraph: { sdl: graph.supergraphSdl } });
  const parts = { clock: systemClock, logger: silentLogger, subgraphExecutor: () => graph.executor };
  const load = async (sdl: string): Promise<void> => {
    await generations.load(() => buildGeneration(sdl, config, parts));
  };
  await load(graph.supergraphSdl);
  const granted = new Map(callers.map(({ principal, policies = [] }) => [principal.id, policies]));
  const { pipeline, subscriptions } = pipelineOver(generations, {
    operationTimeoutMs: 10_000,
    policies: (_names, { id }) => granted.get(id) ?? [],
    subscriptions: {
      upstream,
      sharing: { headers: [], isIdentityTold },
      maxQueuedEvents: 100,
      maxQueuedBytes: 1_000_000,
      reloadWindowMs: 1,
      clock: systemClock,
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      subscriptions.close();
      await generations[Symbol.asyncDispose]();
    },
    load,
    subscribe: async (text: string, { principal }: Caller): Promise<EventStream | AnswerLike> =>
      pipeline
        .subscribe({
          document: { text },
          principal,
          door: 'websocket',
          headers: {},
          correlationId: 'matrix',
          signal: new AbortController().signal,
        })
        .catch((error: unknown) => toAnswer(error, text)),
    /** Sends an event on each open stream. */
    async happen(): Promise<void> {
      for (const [listener, request] of listening) listener.onEvent(await graph.eventOf(request));
    },
  };
}

const refusals = new WeakSet<object>();

/** Converts an immediate rejection to the response form: an error at the path of the root field. */
function toAnswer(error: unknown, text: string): AnswerLike {
  if (!(error instanceof GatewayError)) throw error;
  const key = rootOf(text);
  return { data: { [key]: null }, errors: [{ path: [key], extensions: { code: error.code } }] };
}

/** Returns the result of one event for each caller, when all are subscribed at the same time. */
async function read(streams: Streams, text: string, callers: readonly Caller[]) {
  const subscribed: (EventStream | AnswerLike)[] = [];
  for (const caller of callers) subscribed.push(await streams.subscribe(text, caller));
  await streams.happen();
  return Promise.all(subscribed.map(async (stream) => readOne(stream)));
}

async function readOne(stream: EventStream | AnswerLike): Promise<AnswerLike & { readonly text: string }> {
  if (!('next' in stream)) {
    const refusal = { ...stream, text: JSON.stringify(stream) };
    refusals.add(refusal);
    return refusal;
  }
  const { value } = await stream.next();
  await stream.return();
  const body = value?.result.body ?? '';
  return { ...(JSON.parse(body) as AnswerLike), text: body };
}

export type Streams = Awaited<ReturnType<typeof startStreams>>;

/** Lists the differences between the events that callers receive and the policy. */
export async function problemsOfEvents(
  streams: Streams,
  { oracle, callers }: Pick<Matrix, 'oracle' | 'callers'>,
  text: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const order of [callers, callers.toReversed()]) {
    const answers = await read(streams, text, order);
    for (const [index, caller] of order.entries()) {
      const answer = answers[index];
      const expected = await oracle(text, {}, caller);
      // When the root field is denied, the error belongs to the stream, and not to a null or missing path.
      const refused =
        answer !== undefined && refusals.has(answer)
          ? { data: answer?.data, denials: expected.denials.map((one) => one.replace(/^\S*/, rootOf(text))) }
          : {};
      const wanted = { ...expected, ...refused };
      problems.push(...compare(answer ?? { text: 'nothing' }, wanted).map((problem) => `${caller.name}: ${problem}`));
    }
  }
  return problems;
}

const rootOf = (text: string): string => /\{\s*(\w+)/.exec(text)?.[1] ?? '';
