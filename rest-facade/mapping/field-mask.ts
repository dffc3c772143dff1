/** Which fields of an object are shown, by response name; `whole` takes everything below. */
export type FieldMask = ReadonlyMap<string, FieldMask | 'whole'>;
