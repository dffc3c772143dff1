import { headerReferences } from './describe-headers.ts';
import type { JsonSchema, PathItem, ResponseObject } from './openapi-document.ts';

const REPORT: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'draining', 'unavailable'] },
    checks: { type: 'object', additionalProperties: { type: 'string', enum: ['ok', 'draining', 'missing'] } },
  },
  required: ['status', 'checks'],
  additionalProperties: false,
};

function told(description: string): ResponseObject {
  return {
    description,
    headers: headerReferences(['X-Correlation-Id', 'Cache-Control']),
    content: { 'application/json': { schema: REPORT } },
  };
}

/** `/health`, which load balancers ask; no document of a route describes it. */
export const HEALTH_PATH: Readonly<Record<string, PathItem>> = {
  '/health': {
    get: {
      operationId: 'GetHealth',
      summary: 'Whether requests are served',
      description: 'Parameters of the query are ignored.',
      tags: ['Health'],
      security: [{}],
      responses: {
        200: told('Requests are served.'),
        400: { $ref: '#/components/responses/BadRequest' },
        503: told('There is nothing to serve, or the process is about to end.'),
      },
    },
  },
};

export const HEALTH_TAG = { name: 'Health', description: 'The state of the gateway.' };
