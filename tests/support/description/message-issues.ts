import type { OpenApiDocument, RequestBody } from '../../../rest-facade/openapi/openapi-document.ts';
import { createBodyCheck } from './body-check.ts';

/** Lists the errors of a webhook message against the description. Empty when the message is valid. */
export function messageIssues(document: OpenApiDocument, body: string): readonly string[] {
  const message = JSON.parse(body) as { readonly type: string; readonly isThin?: boolean };
  const request: RequestBody | undefined = document.webhooks?.[message.type]?.['post']?.requestBody;
  const schema = request?.content['application/json']?.schema;
  if (schema === undefined) return [`${message.type} is not described.`];
  return createBodyCheck(document)(schema, message, { isNarrowed: message.isThin === true });
}
