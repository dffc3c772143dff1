import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OperationRequest } from '../../../../../gateway/pipeline/operation-request.ts';
import type { PlainRequest } from '../../../../../gateway/platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../../../../gateway/platform/http/response/outgoing-response.ts';
import { systemClock } from '../../../../../gateway/platform/clock.ts';
import { createMetricRegistry } from '../../../../../gateway/telemetry/metrics/metric-registry.ts';
import { createRecording, type Recording } from '../../../../../gateway/telemetry/recording/recording.ts';
import type { TelemetrySink } from '../../../../../gateway/telemetry/recording/telemetry-sink.ts';
import { RecordedTrace } from '../../../../../gateway/telemetry/records/recorded-trace.ts';
import { RequestRecord } from '../../../../../gateway/telemetry/records/request-record.ts';

const RESPONSE = { headersSent: true, statusCode: 200 } as OutgoingResponse;

/** Records with a sink that writes down what it receives. */
function start() {
  const received: string[] = [];
  const sink: TelemetrySink = {
    requestEnded: ({ status }) => void received.push(`request ${status}`),
    operationEnded: ({ errorCodes }) => void received.push(`operation ${errorCodes.join()}`),
    exchangeEnded: ({ transport }) => void received.push(`exchange ${transport}`),
    stageEnded: (stage) => void received.push(`stage ${stage}`),
    fetchEnded: ({ subgraph }) => void received.push(`fetch ${subgraph}`),
  };
  const metrics = createMetricRegistry(100);
  const recording = createRecording({ sinks: [sink], sample: undefined, metrics, clock: systemClock });
  return { received, metrics, recording };
}

function requestWith(headers: object): OperationRequest {
  return { headers, transport: 'graphql', correlationId: 'one', document: {} } as OperationRequest;
}

/** Begins an HTTP request with one operation. */
function beginRequest(recording: Recording) {
  const request = { headers: {}, method: 'POST', url: '/graphql' } as PlainRequest;
  const record = new RequestRecord(request, new RecordedTrace({}, undefined), systemClock, recording.observer);
  recording.begin(request.headers, record);
  const operation = recording.beginOperation(requestWith(request.headers));
  return {
    operation,
    end(): void {
      record.end(request, RESPONSE);
      recording.end(record);
    },
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a recording', () => {
  it('reports what ends after its request when it ends', () => {
    const { received, recording } = start();
    const { operation, end } = beginRequest(recording);
    const fetch = operation.fetch('items', 'query');
    operation.beginExecution();
    end();
    recording[Symbol.dispose]();
    expect(received).toEqual(['request 200']);
    fetch.end('SUBGRAPH_TIMEOUT');
    operation.fail(new Error('late'), new AbortController().signal);
    recording[Symbol.dispose]();
    expect(received).toEqual(['request 200', 'fetch items', 'stage execute', 'operation INTERNAL_SERVER_ERROR']);
  });

  it('ends the execution of an operation that fails', () => {
    const { received, recording } = start();
    const { operation, end } = beginRequest(recording);
    operation.beginExecution();
    operation.fail(new Error('failed'), new AbortController().signal);
    end();
    recording[Symbol.dispose]();
    expect(received).toEqual(['stage execute', 'operation INTERNAL_SERVER_ERROR', 'request 200']);
    expect(operation.stages.map(({ errorCode }) => errorCode)).toEqual(['INTERNAL_SERVER_ERROR']);
  });

  it('reports ended requests 50 ms later, with their operations before them', () => {
    const { received, recording } = start();
    const { operation, end } = beginRequest(recording);
    operation.stage('parse', operation.now());
    expect(received).toEqual(['stage parse']);
    operation.beginExecution();
    operation.fetch('items', 'query').end();
    operation.endExecution(undefined, undefined);
    operation.succeed({ errorCodes: [] });
    end();
    jest.advanceTimersByTime(49);
    expect(received).toEqual(['stage parse']);
    jest.advanceTimersByTime(1);
    expect(received).toEqual(['stage parse', 'stage execute', 'fetch items', 'operation ', 'request 200']);
  });

  it('reports ended requests before metrics are collected', () => {
    const { received, metrics, recording } = start();
    beginRequest(recording).end();
    metrics.collect();
    expect(received).toEqual(['request 200']);
  });

  it('reports operations without an HTTP request with their exchange', () => {
    const { received, recording } = start();
    const operation = recording.beginOperation({ ...requestWith({}), transport: 'websocket' });
    operation.succeed({ errorCodes: ['NOT_FOUND'] });
    recording[Symbol.dispose]();
    expect(received).toEqual(['operation NOT_FOUND', 'exchange websocket']);
  });

  it('reports many requests without waiting', () => {
    const { received, recording } = start();
    for (let count = 0; count < 256; count += 1) beginRequest(recording).end();
    expect(received).toHaveLength(256);
  });
});
