import type { RequestListener } from 'node:http';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../platform/correlation-id.ts';
import { GatewayError } from '../platform/errors.ts';
import { sendReply } from '../platform/http/send-reply.ts';
import type { HealthHandler } from './health.ts';
import { toPlainRefusal } from './plain-reply.ts';

/** The internal listener: health, apart from the traffic of clients. */
export function createInternalHandler(health: HealthHandler): RequestListener {
  return (request, response) => {
    const correlationId = readCorrelationId(request.headers);
    response.setHeader(CORRELATION_ID_HEADER, correlationId);
    if (health((request.url ?? '').split('?', 1)[0] ?? '', request, response, correlationId)) return;
    sendReply(request, response, toPlainRefusal(new GatewayError('NOT_FOUND', 'There is nothing at this path.'), correlationId));
  };
}
