import { GraphQLEnumType, type GraphQLLeafType } from 'graphql';
import { fnv1a } from '../../../gateway/platform/fnv1a.ts';

/** Field whose value is made. */
export interface MockedField {
  readonly typeName: string;
  readonly fieldName: string;
  /** Text that identifies the object, such as the values of its key. */
  readonly label: string;
  /** Text that identifies the value. Equal seeds have equal values. */
  readonly seed: string;
}

/** Returns a number from 0 to below `limit` that depends only on the seed. */
export function numberFor(seed: string, limit: number): number {
  const hash = fnv1a(seed);
  // The high bits are mixed into the low ones, because similar seeds have similar hashes.
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) % limit;
}

type MakeValue<Value = unknown> = (field: MockedField) => Value;

/** Makes a time in the years 2020 to 2024. */
const time = (seed: string): Date => new Date(Date.UTC(2020, 0, 1) + numberFor(seed, 1_826 * 86_400) * 1_000);
const dateTime: MakeValue<string> = ({ seed }) => time(seed).toISOString();
const link: MakeValue<string> = ({ typeName, label }) => `https://example.com/${typeName.toLowerCase()}/${encodeURIComponent(label)}`;
const email: MakeValue<string> = ({ seed }) => `user${1 + numberFor(seed, 1_000)}@example.com`;
const integer: MakeValue = ({ seed }) => 1 + numberFor(seed, 100);
const decimal: MakeValue = ({ seed }) => (numberFor(seed, 10_000) / 100).toFixed(2);

/** Values of custom scalars whose names match. */
const CUSTOM: readonly (readonly [RegExp, MakeValue])[] = [
  [/^(?:date_?time|timestamp|instant)/i, dateTime],
  [/^(?:local)?date$/i, ({ seed }) => time(seed).toISOString().slice(0, 10)],
  [/^(?:local)?time$/i, ({ seed }) => time(seed).toISOString().slice(11, 19)],
  [/^duration$/i, ({ seed }) => `PT${1 + numberFor(seed, 180)}M`],
  [/^(?:url|uri|link)$/i, link],
  [/^e_?mail/i, email],
  [/^(?:uuid|guid)$/i, ({ seed }) => uuid(seed)],
  [/^json|^object$|^map$|^any$/i, () => ({})],
  [/^(?:long|big_?int|u?int\d*|(?:un)?signed|(?:non)?(?:positive|negative)int)/i, integer],
  [/^(?:big_?)?decimal|^money$|^amount$/i, decimal],
];

/** Values of the type String for fields whose names match. */
const STRINGS: readonly (readonly [RegExp, MakeValue<string>])[] = [
  [/e_?mail/i, email],
  [/(?:url|uri|link|href|image|avatar)$/i, link],
  [/(?:At|Date|Time|_at|_date)$|^(?:date|time)$/, dateTime],
];

/** Makes a value of a scalar or an enum. */
export function mockLeaf(type: GraphQLLeafType, field: MockedField): unknown {
  const { seed, typeName, fieldName, label } = field;
  if (type instanceof GraphQLEnumType) return type.getValues()[numberFor(seed, type.getValues().length)]?.name;
  switch (type.name) {
    case 'ID':
      return String(1 + numberFor(seed, 1_000));
    case 'Int':
      return 1 + numberFor(seed, 100);
    case 'Float':
      return numberFor(seed, 10_000) / 100;
    case 'Boolean':
      // A client that reads pages must reach an end.
      return !/^has(?:Next|Previous)Page$/.test(fieldName) && numberFor(seed, 2) === 1;
    case 'String':
      return STRINGS.find(([names]) => names.test(fieldName))?.[1](field) ?? `${typeName} ${label} ${fieldName}`;
    default:
      return CUSTOM.find(([names]) => names.test(type.name))?.[1](field) ?? `${type.name} ${1 + numberFor(seed, 1_000)}`;
  }
}

function uuid(seed: string): string {
  const digits = Array.from({ length: 32 }, (_, index) => numberFor(`${seed} ${index}`, 16).toString(16)).join('');
  // Version 4, variant 10 (RFC 9562, section 5.4).
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}
