import type { ErrorCode } from '../../gateway/platform/errors.ts';
import { PROBLEM_TYPE } from '../request/negotiation/content-negotiation.ts';
import type { Components } from './components.ts';
import { type Form, contentOf } from './forms.ts';
import type { Content, JsonSchema } from './openapi-document.ts';

export interface ErrorContext {
  readonly forms: readonly Form[];
  readonly components: Components;
  /** Those that the failure may have. */
  readonly codes: readonly ErrorCode[];
}

/** The flat body goes with plain resources and links, the nested one with envelopes; problems are there for whoever asks. */
export function errorContent(name: string, { forms, components, codes }: ErrorContext): Content {
  const code: JsonSchema = { type: 'string', enum: codes, description: 'Stable: programs may switch on it.' };
  const details = components.refer('details', 'FailureDetails', () => DETAILS);
  const facts = { code, details };
  const flat = components.refer(`failure ${name}`, name, () => flatFailure(facts));
  const nested = components.refer(`nested failure ${name}`, `${name}Nested`, () => nestedFailure(facts));
  const problem = components.refer(`problem ${name}`, `${name}Problem`, () => problemDetails(facts));
  return { ...contentOf(forms, { plain: flat, envelope: nested, links: flat }), [PROBLEM_TYPE]: { schema: problem } };
}

const MESSAGE: JsonSchema = { type: 'string', description: 'For people; may change.' };
const TRACE_ID: JsonSchema = { type: 'string', description: 'Names what the request is a part of.' };
const REQUEST_ID: JsonSchema = { type: 'string', description: 'Names the request in our logs.' };

const DETAILS: JsonSchema = {
  type: 'array',
  description: 'What was wrong, part by part.',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'Name of the parameter, the header, or the field of the body.' },
      message: { type: 'string' },
    },
    required: ['field', 'message'],
  },
};

interface FailureFacts {
  readonly code: JsonSchema;
  readonly details: JsonSchema;
}

function flatFailure({ code, details }: FailureFacts): JsonSchema {
  const properties = { error: code, message: MESSAGE, traceId: TRACE_ID, details };
  return { type: 'object', properties, required: ['error', 'message', 'traceId'] };
}

function nestedFailure({ code, details }: FailureFacts): JsonSchema {
  const properties = { code, message: MESSAGE, requestId: REQUEST_ID, details };
  const error: JsonSchema = { type: 'object', properties, required: ['code', 'message', 'requestId'] };
  return { type: 'object', properties: { error }, required: ['error'] };
}

/** RFC 9457. */
function problemDetails({ code, details }: FailureFacts): JsonSchema {
  const properties: Readonly<Record<string, JsonSchema>> = {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: MESSAGE,
    code,
    traceId: TRACE_ID,
    details,
  };
  return { type: 'object', properties, required: ['type', 'title', 'status', 'detail', 'code', 'traceId'] };
}
