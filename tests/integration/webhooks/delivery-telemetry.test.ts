import { expect, test } from '@jest/globals';
import { AggregationTemporality, InMemoryMetricExporter } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { createDisposalStack } from '../../../gateway/platform/disposal-stack.ts';
import { openAttemptRecorder } from '../../../gateway/telemetry/webhooks/open-attempt-recorder.ts';
import { webhooksSchema } from '../../../subgraphs/webhooks/service/webhooks-sections.ts';
import { describeOnQueue, type QueueStage } from './describe-on-queue.ts';

const { telemetry: defaults } = webhooksSchema.parse({
  profile: 'dev',
  identity: { secret: 'a secret of the identities, for tests' },
  gateway: { serviceSecret: 'a secret of the services, for tests' },
});

/** Opens a recorder whose exports are read after `close`. */
async function openRecorded({ queue }: QueueStage, ratio: number) {
  const spans: ReadableSpan[] = [];
  const exporter = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const collected: ReturnType<InMemoryMetricExporter['getMetrics']> = [];
  const { shutdown } = { shutdown: metrics.shutdown.bind(metrics) };
  metrics.shutdown = () => {
    collected.push(...metrics.getMetrics());
    return shutdown();
  };
  const send = exporter.export.bind(exporter);
  exporter.export = (exported, done) => {
    spans.push(...exported);
    send(exported, done);
  };
  const resources = createDisposalStack();
  const settings = { ...defaults, traces: { ...defaults.traces, ratio } };
  const recorder = await openAttemptRecorder(settings, resources, { clock: queue.clock, exporters: { spans: exporter, metrics } });
  return {
    recorder,
    async close() {
      await resources[Symbol.asyncDispose]();
      const points = collected.flatMap(({ scopeMetrics }) => scopeMetrics).flatMap((scope) => scope.metrics);
      return { spans, points: (name: string) => points.findLast(({ descriptor }) => descriptor.name === name) };
    },
  };
}

const parse = (traceparent: string | undefined) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/.exec(traceparent ?? '') ?? [];

describeOnQueue('the telemetry of webhook deliveries', (stage) => {
  test('is not opened while metrics and traces are off, and no trace is sent to receivers', async () => {
    const { queue, place: position } = stage();
    const recorder = await openAttemptRecorder(defaults, createDisposalStack(), { clock: queue.clock });
    expect(recorder).toBeUndefined();
    const { id, received } = await position();
    await queue.add(id);
    await queue.worker({ recorder }).drain();
    expect(received()).toMatchObject([{ traceparent: undefined }]);
  });

  test('has one trace for all attempts of a message, which the receiver can continue', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    const { recorder, close } = await openRecorded(stage(), 1);
    const worker = queue.worker({ recorder });
    receiver.respond = () => ({ status: 503 });
    const messageId = await queue.add(id);
    await worker.drain();
    receiver.respond = () => ({ status: 200 });
    queue.clock.advance(60 * 60 * 1_000);
    await worker.drain();
    const { spans, points } = await close();

    const sent = received().map(({ traceparent }) => parse(traceparent));
    expect(sent.map(([, , , flag]) => flag)).toEqual(['1', '1']);
    expect(new Set(sent.map(([, traceId]) => traceId)).size).toBe(1);
    expect(spans.map((span) => [span.spanContext().traceId, span.spanContext().spanId])).toEqual(
      sent.map(([, traceId, spanId]) => [traceId, spanId]),
    );
    const common = { 'gatefold.webhook.id': id, 'gatefold.webhook.message.id': messageId, 'gatefold.webhook.event': 'order.created' };
    expect(spans.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      {
        name: 'gatefold.webhook.attempt',
        attributes: {
          ...common,
          'gatefold.webhook.attempt': 1,
          'http.request.method': 'POST',
          'http.response.status_code': 503,
          'error.type': 'RECEIVER_THROTTLED',
        },
      },
      {
        name: 'gatefold.webhook.attempt',
        attributes: { ...common, 'gatefold.webhook.attempt': 2, 'http.request.method': 'POST', 'http.response.status_code': 200 },
      },
    ]);
    expect(points('gatefold.webhook.attempt.duration')).toMatchObject({
      descriptor: { unit: 's' },
      dataPoints: [
        { attributes: { 'gatefold.webhook.event': 'order.created', 'gatefold.outcome': 'RECEIVER_THROTTLED' }, value: { count: 1 } },
        { attributes: { 'gatefold.webhook.event': 'order.created', 'gatefold.outcome': 'ok' }, value: { count: 1 } },
      ],
    });
    expect(points('gatefold.webhook.attempts.active')).toMatchObject({ dataPoints: [{ value: 0 }] });
  });

  test('has spans of failed attempts, and none of others, while no trace is sampled', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    const { recorder, close } = await openRecorded(stage(), 0);
    const worker = queue.worker({ recorder });
    receiver.respond = () => ({ status: 404 });
    await queue.add(id);
    await worker.drain();
    receiver.respond = () => ({ status: 204 });
    queue.clock.advance(60 * 60 * 1_000);
    await worker.drain();
    const { spans } = await close();
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['RECEIVER_REFUSED']);
    expect(received().map(({ traceparent }) => parse(traceparent)[3])).toEqual(['0', '0']);
  });

  test('names the reason of an attempt without a response', async () => {
    const { queue } = stage();
    const { recorder, close } = await openRecorded(stage(), 1);
    const id = await queue.addEndpoint({ url: 'http://127.0.0.1:1/hook' });
    await queue.add(id);
    await queue.worker({ recorder }).drain();
    const { spans } = await close();
    expect(spans).toHaveLength(1);
    expect(spans[0]?.attributes).toMatchObject({ 'gatefold.webhook.id': id, 'error.type': 'RECEIVER_UNREACHABLE' });
    expect(spans[0]?.attributes).not.toHaveProperty('http.response.status_code');
  });
});
