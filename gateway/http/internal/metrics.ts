import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../platform/errors.ts';
import { type HttpResponse, NO_STORE } from '../../platform/http/response/send-response.ts';

/** Metrics as text, with their content type. */
export interface PrintedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Makes the response with the metrics. @throws GatewayError `METHOD_NOT_ALLOWED` */
export function toMetricsResponse({ method }: IncomingMessage, print: () => PrintedMetrics): HttpResponse {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new GatewayError('METHOD_NOT_ALLOWED', 'Metrics support only GET and HEAD.', { headers: { allow: 'GET, HEAD' } });
  }
  const { contentType, text } = print();
  return { status: 200, headers: { ...NO_STORE, 'content-type': contentType }, body: text };
}
