import { buildGeneration } from '../../../gateway/composition/build-generation.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { createGenerations } from '../../../gateway/generation/generations.ts';
import { GatewayError } from '../../../gateway/index.ts';
import type { EventStream } from '../../../gateway/pipeline/streams/event-stream.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { SubgraphStreamListener, SubgraphStreamRequest, SubgraphStreams } from '../../../gateway/supergraph/subgraph-streams.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import type { ResponseLike } from '../../fixtures/authorization/oracle.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { pipelineOver } from '../../support/gateway/new-pipeline.ts';
import { compare, type Matrix } from './run-matrix.ts';

/** Starts a real pipeline with test subgraphs that send an event when the test calls `happen`. */
export async function startStreams(graph: GuardedGraph, callers: readonly Caller[], isIdentityForwarded: boolean) {
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
      sharing: { headers: [], isIdentityForwarded },
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
    subscribe: async (text: string, { principal }: Caller): Promise<EventStream | ResponseLike> =>
      pipeline
        .subscribe({
          document: { text },
          principal,
          transport: 'websocket',
          headers: {},
          correlationId: 'matrix',
          signal: new AbortController().signal,
        })
        .catch((error: unknown) => toResponse(error, text)),
    /** Sends an event on each open stream. */
    async happen(): Promise<void> {
      for (const [listener, request] of listening) listener.onEvent(await graph.eventOf(request));
    },
  };
}

const rejections = new WeakSet<object>();

/** Converts an immediate rejection to the response form: an error at the path of the root field. */
function toResponse(error: unknown, text: string): ResponseLike {
  if (!(error instanceof GatewayError)) throw error;
  const key = rootOf(text);
  return { data: { [key]: null }, errors: [{ path: [key], extensions: { code: error.code } }] };
}

/** Returns the result of one event for each caller, when all are subscribed at the same time. */
async function read(streams: Streams, text: string, callers: readonly Caller[]) {
  const subscribed: (EventStream | ResponseLike)[] = [];
  for (const caller of callers) subscribed.push(await streams.subscribe(text, caller));
  await streams.happen();
  return Promise.all(subscribed.map(async (stream) => readOne(stream)));
}

async function readOne(stream: EventStream | ResponseLike): Promise<ResponseLike & { readonly text: string }> {
  if (!('next' in stream)) {
    const error = { ...stream, text: JSON.stringify(stream) };
    rejections.add(error);
    return error;
  }
  const { value } = await stream.next();
  await stream.return();
  const body = value?.result.body ?? '';
  return { ...(JSON.parse(body) as ResponseLike), text: body };
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
    const responses = await read(streams, text, order);
    for (const [index, caller] of order.entries()) {
      const response = responses[index];
      const expected = await oracle(text, {}, caller);
      // When the root field is denied, the error belongs to the stream, and not to a null or missing path.
      const rejected =
        response !== undefined && rejections.has(response)
          ? { data: response?.data, denials: expected.denials.map((one) => one.replace(/^\S*/, rootOf(text))) }
          : {};
      const wanted = { ...expected, ...rejected };
      problems.push(...compare(response ?? { text: 'nothing' }, wanted).map((problem) => `${caller.name}: ${problem}`));
    }
  }
  return problems;
}

const rootOf = (text: string): string => /\{\s*(\w+)/.exec(text)?.[1] ?? '';
