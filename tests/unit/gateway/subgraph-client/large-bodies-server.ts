import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { type Behavior, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

/** Smallest text that counts as a large response. */
export const LARGE_TEXT = textOf(LARGE_BODY_BYTES);
export const large = respondingSized(LARGE_TEXT);

export function textOf(bytes: number): string {
  const [start, end] = ['{"data":{"a":"', '"}}'];
  return start + 'x'.repeat(bytes - start.length - end.length) + end;
}

/** Creates a behavior that announces the length of a text and returns the text. */
export function respondingSized(text: string): Behavior {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) }).end(text);
  };
}

export function query(body: string, caller = 'a'): SubgraphRequest {
  return { ...REQUEST, body, context: { ...REQUEST.context, remoteAddress: caller } };
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'answered',
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );
}
