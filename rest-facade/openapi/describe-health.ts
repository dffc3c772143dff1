import { headerReferences } from './describe-headers.ts';
import type { JsonSchema, PathItem, ResponseObject } from './openapi-document.ts';

const REPORT: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'draining', 'unavailable'] },
    checks: { type: 'object', additionalProperties: { type: 'string', enum: ['ok', 'draining', 'missing', 'unavailable'] } },
  },
  required: ['status', 'checks'],
  additionalProperties: false,
};

function describedResponse(description: string): ResponseObject {
  return {
    description,
    headers: headerReferences(['X-Correlation-Id', 'Cache-Control']),
    content: { 'application/json': { schema: REPORT } },
  };
}

/** `/health` for load balancers. No REST document describes this endpoint. */
export const HEALTH_PATH: Readonly<Record<string, PathItem>> = {
  '/health': {
    get: {
      operationId: 'GetHealth',
      summary: 'Check whether the gateway serves requests',
      description: 'Query parameters are ignored.',
      tags: ['Health'],
      security: [],
      responses: {
        200: describedResponse('The gateway serves requests.'),
        400: { $ref: '#/components/responses/BadRequest' },
        503: describedResponse(
          'The gateway has no supergraph to serve, a required subgraph is unavailable, or the process is about to stop.',
        ),
      },
    },
  },
};

export const HEALTH_TAG = { name: 'Health', description: 'The state of the gateway.' };
