import { once } from 'node:events';
import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { type AddressInfo, Socket, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { SubscriptionRequest } from '../../../../gateway/pipeline/streams/event-stream.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { createWriteDeadlines } from '../../../../gateway/platform/http/limits/write-deadlines.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createConnectionAdmission } from '../../../../gateway/subscriptions/admission.ts';
import { createClientConnections } from '../../../../gateway/subscriptions/client-connections.ts';
import type { HttpStreamRules } from '../../../../gateway/subscriptions/http-stream.ts';
import { permissionsOf } from '../../../../gateway/subscriptions/permissions.ts';
import { createStreamSender } from '../../../../gateway/subscriptions/stream-sender.ts';
import { SSE } from '../../../../gateway/subscriptions/stream-formats.ts';
import { FOREVER_MS } from '../../../support/http/test-listener.ts';
import { createHandFedStreams } from '../../../support/streams/hand-fed-streams.ts';

const caller = { permissions: permissionsOf(ANONYMOUS, {}), remoteAddress: '10.0.0.1', budget: undefined, requestId: 'trace-1' };

/** Size above what the kernel buffers for a client that does not read. @unit bytes */
const LARGE = 16_777_216;

function newSender(rules: Partial<HttpStreamRules> = {}) {
  const admission = createConnectionAdmission({
    maxConnections: 2,
    maxConnectionsPerAddress: 2,
    maxConnectionsPerPrincipal: 2,
    maxUnacknowledged: 2,
  });
  const streams = { connections: { isDraining: false }, ...rules } as HttpStreamRules;
  return { admission, sender: createStreamSender({ admission, networkOf: (address) => address, streams }) };
}

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('slots of HTTP streams', () => {
  it('takes no slot for a client that disconnected during authentication', () => {
    const { admission, sender } = newSender();
    const response = newResponse();
    response.destroy();
    expect(() => sender.reserveSlot(caller, response)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
    expect(admission.size).toBe(0);
  });

  it('releases the slot when the response of a client is closed', () => {
    const { admission, sender } = newSender();
    const response = newResponse();
    sender.reserveSlot(caller, response);
    expect(admission.size).toBe(1);
    response.emit('close');
    expect(admission.size).toBe(0);
  });
});

describe('HTTP streams on the listener of an application', () => {
  it.each([
    ['is active', undefined],
    ['has ended', 1],
  ])('cuts a stream that %s in time if its client reads nothing', async (_title, expiresAt) => {
    const { promise: isStalled, resolve: reportStalled } = deferred();
    const connections = createClientConnections({ drainWindowMs: 0, clock: systemClock });
    const { sender } = newSender({
      connections,
      checkPermissions: async () => undefined,
      heartbeatIntervalMs: FOREVER_MS,
      credentialCheckIntervalMs: FOREVER_MS,
      deadlines: createWriteDeadlines(100, { writeStalled: reportStalled }),
      clock: systemClock,
    });
    const streams = createHandFedStreams();
    const stream = await streams.subscribe({} as SubscriptionRequest);
    const hand = await streams.next();
    const permissions = { ...caller.permissions };
    const toErrorResponse = (): GatewayError => new GatewayError('INTERNAL_SERVER_ERROR', 'The stream has failed.');
    const server = createServer((_request, response) => {
      void sender.send(stream, { ...caller, permissions }, { response, headers: {}, format: SSE, toGatewayError: toErrorResponse });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    hand.push('x'.repeat(LARGE));
    while (hand.backlog > 0) await new Promise(setImmediate);
    permissions.expiresAt = expiresAt;
    await isStalled;
    await hand.returned;
    await once(server.close(), 'close');
    while (connections.size > 0) await new Promise(setImmediate);
    socket.destroy();
  });
});

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
