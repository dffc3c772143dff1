import { type ErrorDetail, GatewayError, isErrorCode } from '../platform/errors.ts';
import type { NamedReply } from '../platform/http/send-reply.ts';

/** An answer as it was given the first time, without what is of one exchange alone: date, correlation id, budget. */
export interface KeptReply {
  readonly status: number;
  readonly headers: NamedReply['headers'];
  /** Undefined of an answer that was too large to be kept, or that nobody may keep. */
  readonly body: string | undefined;
  /** Rights that it was made with: a decision by the id of its requirement. @defaultValue unknown */
  readonly access?: Readonly<Record<string, string>> | undefined;
}

/** What a request came to: an answer, or a refusal that is answered in the shape that its caller reads. */
export type Conclusion = { readonly reply: KeptReply } | { readonly refusal: GatewayError };

interface KeptRefusal {
  /** Not always that of the code: a version that does not fit is 412 to whoever sent a condition. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
}

type Kept = { readonly reply: Omit<KeptReply, 'body'> & { readonly body?: string } } | { readonly refusal: KeptRefusal };

/** @param maxBodyBytes of a larger body nothing is kept */
export function writeRecord(conclusion: Conclusion, maxBodyBytes: number): string {
  return JSON.stringify(toKept(conclusion, maxBodyBytes));
}

function toKept(conclusion: Conclusion, maxBodyBytes: number): Kept {
  if ('refusal' in conclusion) {
    const { status, code, message, details, headers } = conclusion.refusal;
    return { refusal: { status, code, message, details, headers } };
  }
  const { status, headers, body, access } = conclusion.reply;
  const isKept = body !== undefined && Buffer.byteLength(body) <= maxBodyBytes;
  return { reply: { status, headers, ...(isKept ? { body } : {}), ...(access === undefined ? {} : { access }) } };
}

/** @throws SyntaxError, TypeError when it was not written by `writeRecord` */
export function readRecord(record: string): Conclusion {
  const kept = JSON.parse(record) as Kept;
  if ('reply' in kept) return { reply: { ...kept.reply, body: kept.reply.body } };
  const { status, code, message, details, headers } = kept.refusal;
  if (!isErrorCode(code)) throw new TypeError(`${code} is no code of the catalogue.`);
  return { refusal: new GatewayError(code, message, { status, details, headers }) };
}
