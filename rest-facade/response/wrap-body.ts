import type { MissingPart } from './denied-fields.ts';
import { type DataObject, isDataObject } from './result-values.ts';

/** What is told about a body. */
interface EnvelopeFacts {
  readonly isPage: boolean;
  readonly requestId: string;
  /** Parts that could not be had. */
  readonly missing: readonly MissingPart[] | undefined;
}

/**
 * A body in the envelope: what was asked for is `data`, what is told about it is `meta`. Of a page, `data` are the items and
 * `meta` has what the page object says of them.
 */
export function wrapBody(body: unknown, { isPage, requestId, missing }: EnvelopeFacts): unknown {
  const meta = missing === undefined ? { requestId } : { requestId, partial: missing };
  if (!isPage || !isDataObject(body)) return { data: body, meta };
  const { data, ...facts }: DataObject = body;
  return { data, meta: { ...meta, ...facts } };
}
