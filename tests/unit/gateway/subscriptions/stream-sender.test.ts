import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createAdmission } from '../../../../gateway/subscriptions/admission.ts';
import type { HttpStreamRules } from '../../../../gateway/subscriptions/http-stream.ts';
import { rightsOf } from '../../../../gateway/subscriptions/rights.ts';
import { createStreamSender } from '../../../../gateway/subscriptions/stream-sender.ts';

const caller = { rights: rightsOf(ANONYMOUS, {}), remoteAddress: '10.0.0.1', budget: undefined, requestId: 'trace-1' };

function newSender() {
  const admission = createAdmission({
    maxConnections: 2,
    maxConnectionsPerAddress: 2,
    maxConnectionsPerPrincipal: 2,
    maxUnacknowledged: 2,
  });
  const streams = { connections: { isDraining: false } } as HttpStreamRules;
  return { admission, sender: createStreamSender({ admission, networkOf: (address) => address, streams }) };
}

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('places of streams over HTTP', () => {
  it('given a client that has left while it was found out who it is, when its stream wants a place, then none is kept for it', () => {
    const { admission, sender } = newSender();
    const response = newResponse();
    response.destroy();
    expect(() => sender.takePlace(caller, response)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
    expect(admission.size).toBe(0);
  });

  it('given a client that leaves later, when its response is closed, then its place is free', () => {
    const { admission, sender } = newSender();
    const response = newResponse();
    sender.takePlace(caller, response);
    expect(admission.size).toBe(1);
    response.emit('close');
    expect(admission.size).toBe(0);
  });
});
