import type { Template } from './template.ts';

/** A header of the requests of a connector: a copy of a header of the client, or a value with expressions. */
export type HeaderRule = CopiedHeader | ComputedHeader;

/** A header that is copied from the request of the client. It is not sent if the client did not send it. */
export interface CopiedHeader {
  /** Name, in lower case. */
  readonly name: string;
  /** Name of the header of the client, in lower case. */
  readonly from: string;
}

/** A header with a value of the schema. */
export interface ComputedHeader {
  /** Name, in lower case. */
  readonly name: string;
  readonly value: Template;
}
