import { getIntrospectionQuery } from 'graphql';

/** A document over the reference graph that was made to be expensive. */
export interface HostileDocument {
  readonly name: string;
  readonly text: string;
  /** What refuses it; undefined for those that are served. */
  readonly refusedBy?: 'admission' | 'validation';
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

/** Each fragment spreads the next one twice, which adds selections only. */
export const doubling = (count: number): string =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{...F${index + 1} ...F${index + 1}}`)}fragment F${count} on User{id}`;

/** The same, with two levels and an alias in each. */
export const nestedDoubling = (count: number): string =>
  `{user(id:1){...F0}}${repeat(
    count,
    (index) => `fragment F${index} on User{posts{author{...F${index + 1}}}p:posts{author{...F${index + 1}}}}`,
  )}fragment F${count} on User{id}`;

const tangled = (count: number): string => {
  const all = repeat(count, (index) => `...F${index} `);
  return `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{${all}}`)}`;
};

const grid = (fragments: number, fields: number): string =>
  `{user(id:1){${repeat(fragments, () => `...on User{${'posts{id}'.repeat(fields)}}`)}}}`;

const circle = (count: number): string =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{id ...F${(index + 1) % count}}`)}`;

const BY_ADMISSION: Readonly<Record<string, string>> = {
  '939 bytes of doubling fragments': padded(doubling(22), 939),
  '1 KB of nested doubling fragments': padded(nestedDoubling(12), 1_024),
  '20 nested doubling fragments': nestedDoubling(20),
  '250 doubling fragments': doubling(250),
  '35 fragments that spread each other': tangled(35),
  '300 levels': `{user(id:1){${'posts{author{'.repeat(150)}id${'}}'.repeat(150)}}}`,
  '1,000 levels': `${'{me'.repeat(1_000)}${'}'.repeat(1_000)}`,
  '31 aliases': `{${repeat(31, (index) => `a${index}:me{id}`)}}`,
  '1,300 aliases': `{${repeat(1_300, (index) => `a${index}:b `)}}`,
  '100,000 aliases': `{${repeat(100_000, (index) => `a${index}:b `)}}`,
  '21 root fields': `{${'me{id}'.repeat(21)}}`,
  '600 conditions on a field': `{me{id ${'@skip(if:true)'.repeat(600)}}}`,
  '5,000 conditions': `{me{id ${'@skip(if:true)'.repeat(5_000)}}}`,
  '3,900 equal fields': `{me{${'id '.repeat(3_900)}}}`,
  '500 operations': repeat(500, (index) => `query Q${index}{me{id}}`),
};

const BY_VALIDATION: Readonly<Record<string, string>> = {
  'a grid of 30 fragments by 30 fields': grid(30, 30),
  'a grid of 2 fragments by 450 fields': grid(2, 450),
  '1,900 equal fields of which one is unknown': `{me{${'id '.repeat(1_900)}nothing}}`,
  'a grid of 20 fragments by 30 fields, and one that is unknown': grid(20, 30).replace('posts{id}', 'posts{nothing}'),
  'a circle of 100 fragments': circle(100),
  'a circle of 400 fragments': circle(400),
  '400 unused fragments': `{me{id}}${repeat(400, (index) => `fragment F${index} on User{id}`)}`,
  'doubling fragments that nobody uses': `{me{id}}${doubling(40).slice('{user(id:1){...F0}}'.length)}`,
  '1,000 unknown fields': `{me{${repeat(1_000, (index) => `nothing${index} `)}}}`,
  '400 variables that nobody uses': `query(${repeat(400, (index) => `$v${index}:Int `)}){me{id}}`,
};

const SERVED: Readonly<Record<string, string>> = {
  'introspection query': getIntrospectionQuery(),
  'one user': '{user(id:1){id name}}',
};

/** All of them, by what becomes of them. */
export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  ...Object.entries(BY_ADMISSION).map(([name, text]) => ({ name, text, refusedBy: 'admission' }) as const),
  ...Object.entries(BY_VALIDATION).map(([name, text]) => ({ name, text, refusedBy: 'validation' }) as const),
  ...Object.entries(SERVED).map(([name, text]) => ({ name, text })),
];

/** With a comment that makes it as long as told. */
function padded(text: string, length: number): string {
  if (text.length > length) throw new RangeError(`It has ${text.length} characters already.`);
  return `${text}${'#'.padEnd(length - text.length, '.')}`.slice(0, length);
}
