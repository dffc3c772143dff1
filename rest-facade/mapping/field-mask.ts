/** Which fields of an object are shown, by response name; `whole` takes everything below. */
export type FieldMask = ReadonlyMap<string, FieldMask | 'whole'>;

/** What the parameter `fields` asks for. */
export interface FieldSelection {
  readonly mask: FieldMask;
  /** The dotted names, as the client wrote them. */
  readonly names: ReadonlySet<string>;
  /** The same for the same names in whatever order. */
  readonly key: string;
}

/** Of a resource, only what headers need. */
export const NOTHING_SHOWN: FieldSelection = { mask: new Map(), names: new Set(), key: '' };
