import { getIntrospectionQuery } from 'graphql';

/** A document for the reference graph that is designed to be expensive. */
export interface HostileDocument {
  readonly name: string;
  readonly text: string;
  /** Step that rejects the document; undefined for documents that are served. */
  readonly rejectedBy?: 'admission' | 'validation';
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

/** Chain of fragments in which each one spreads the next one twice. It only adds selections. */
export const doubling = (count: number): string =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{...F${index + 1} ...F${index + 1}}`)}fragment F${count} on User{id}`;

/** The same chain with two levels and an alias in each fragment. */
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

/** Operations that all spread the same fragment, whose fields are counted again for each operation. */
const operationsOver = (count: number, fields: number): string =>
  `${repeat(count, (index) => `query Q${index}{me{id ...F}}`)}fragment F on User{${'id '.repeat(fields)}}`;

/** Lists of lists, or objects in objects. */
const nestedLiteral = (open: string, close: string, levels: number): string =>
  `{orders(filter:${open.repeat(levels)}1${close.repeat(levels)}){totalCount}}`;

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
  '2,100 equal fields in inline fragments': `{me{${repeat(30, () => `...on User{${'id '.repeat(70)}}`)}}}`,
  '180 equal aliases': `{${repeat(3, () => `user(id:1){${'a:posts{a:author{a:id}}'.repeat(20)}}`)}}`,
  '300,000 comments': `{me{id}}${'#\n'.repeat(300_000)}`,
  '4,000 numbers in a list': `{user(id:[${'1 '.repeat(4_000)}]){id}}`,
  '300 directives on variables': `query(${repeat(300, (index) => `$v${index}:Int @deprecated `)}){me{id}}`,
  '100,000 operations': repeat(100_000, (index) => `{a${index % 10}}`),
  'a block string of 450,000 lines': `{user(id:1 name:"""${'\n'.repeat(450_000)}"""){id}}`,
  '300 block strings of 1,000 lines': `{user(id:[${repeat(300, () => `"""${'\n'.repeat(1_000)}"""`)}]){id}}`,
  '450,000 line breaks before a bomb': `${'\n'.repeat(450_000)}${doubling(22)}`,
  '500 operations': repeat(500, (index) => `query Q${index}{me{id}}`),
};

const BY_VALIDATION: Readonly<Record<string, string>> = {
  '1,900 equal fields of which one is unknown': `{me{${'id '.repeat(1_900)}nothing}}`,
  'a grid of 20 fragments by 30 fields, and one that is unknown': grid(20, 30).replace('posts{id}', 'posts{nothing}'),
  'a grid of 60 fragments by 15 fields of which one is another': grid(60, 15).replace('posts{id}', 'posts:friends{id}'),
  '1,950 equal fields of which the last is another': `{me{${'id '.repeat(1_950)}id:name}}`,
  '350 fields of one name with other arguments': `{me{${repeat(350, (index) => `posts(first:${index}){id}`)}}}`,
  '10 operations over one fragment of 1,900 fields': `${operationsOver(9, 1_900)}query Q9{me{id:name ...F}}`,
  'a circle of 100 fragments': circle(100),
  '480 fragments in a row, the last of which is unknown': `{user(id:1){...F0}}${repeat(480, (index) => `fragment F${index} on User{...F${index + 1}}`)}`,
  '1,300 unknown fragments': `{me{${repeat(1_300, (index) => `...Nothing${index} `)}}}`,
  '1,990 spreads of one unknown fragment': `{me{${'...Nothing '.repeat(1_990)}}}`,
  '60 unused fragments that spread all fragments before them': `{me{id}}${repeat(60, (index) => `fragment F${index} on User{id ${repeat(index, (other) => `...F${other} `)}}`)}`,
  '1,300 variables of which none is known': `{user(id:[${repeat(1_300, (index) => `$v${index} `)}]){id}}`,
  '10 operations with 60 variables each over one fragment': `${repeat(10, (index) => `query Q${index}(${repeat(60, (number) => `$v${number}:ID `)}){...F}`)}fragment F on Query{${repeat(18, (index) => `user(id:$v${index}){id}`)}}`,
  '900 variables of one name': `query(${'$v:Int '.repeat(900)}){me{id}}`,
  '900 variables of unknown types': `query(${repeat(900, (index) => `$v${index}:Nothing${index} `)}){me{id}}`,
  '1,200 arguments of one name': `{user(${'id:1 '.repeat(1_200)}){id}}`,
  '1,200 unknown arguments': `{user(id:1 ${repeat(1_200, (index) => `nothing${index}:1 `)}){id}}`,
  'an object of 1,200 unknown fields': `{orders(filter:{${repeat(1_200, (index) => `statu${index}:1 `)}}){totalCount}}`,
  'an object of 1,200 fields of one name': `{orders(filter:{${'status:PENDING '.repeat(1_200)}}){totalCount}}`,
  'a list of 1,900 unknown enum values': `{orders(filter:{status:[${repeat(1_900, (index) => `PENDIN${index} `)}]}){totalCount}}`,
  'a list of 3,900 values of a wrong type': `{user(id:[${'1 '.repeat(3_900)}]){id}}`,
  '1,900 lists in each other': nestedLiteral('[', ']', 1_900),
  '600 objects in each other': nestedLiteral('{not:', '}', 600),
  '600 fragments on unknown types': `{me{${repeat(600, (index) => `...on Nothing${index}{id}`)}}}`,
  '600 fragments on types that exclude each other': `{me{${'...on Book{id}'.repeat(600)}}}`,
  'a name of 900 KB': `{${'x'.repeat(900_000)}}`,
  'an argument of 900 KB': `{user(id:1 name:"${'x'.repeat(900_000)}"){id}}`,
  'a block string of 4,000 lines and 900 KB': `{user(id:1 name:"""${`${'.'.repeat(220)}\n`.repeat(4_000)}"""){id}}`,
  'a string of 120,000 escapes': `{user(id:1 name:"${'\\u0041'.repeat(120_000)}"){id}}`,
  '300,000 byte order marks and an unknown field': `${'\ufeff'.repeat(300_000)}{nothing}`,
  '4,000 comments and an unknown field': `{nothing}${`#${'.'.repeat(200)}\n`.repeat(4_000)}`,
  'type definitions behind fields': `{me{id}}${repeat(500, (index) => `type T${index}{a:A}`)}`,
  '50 unknown directives': `{me{${repeat(25, (index) => `id @nothing${index} @other${index} `)}}}`,
  '10 operations of one name': repeat(10, () => 'query Q{me{id}}'),
  'a circle of 400 fragments': circle(400),
  '400 unused fragments': `{me{id}}${repeat(400, (index) => `fragment F${index} on User{id}`)}`,
  'unused doubling fragments': `{me{id}}${doubling(40).slice('{user(id:1){...F0}}'.length)}`,
  '1,000 unknown fields': `{me{${repeat(1_000, (index) => `nothing${index} `)}}}`,
  '400 unused variables': `query(${repeat(400, (index) => `$v${index}:Int `)}){me{id}}`,
};

const SERVED: Readonly<Record<string, string>> = {
  'a grid of 30 fragments by 30 fields': grid(30, 30),
  'a grid of 2 fragments by 450 fields': grid(2, 450),
  '1,990 equal fields': `{me{${'id '.repeat(1_990)}}}`,
  '10 operations over one fragment of 1,900 fields, all equal': operationsOver(10, 1_900),
  '400 equal fields with equal arguments': `{me{${'posts(first:1){id}'.repeat(400)}}}`,
  '8 doubling fragments': doubling(8),
  'a string of 900 KB': `{user(id:"${'1'.repeat(900_000)}"){id}}`,
  'a block string of 4,000 lines': `{user(id:"""${'1\n'.repeat(4_000)}"""){id}}`,
  '1,200 inline fragments in each other': `{me{${'...{'.repeat(1_200)}id${'}'.repeat(1_200)}}}`,
  '900,000 spaces': `{me{id}}${' '.repeat(900_000)}`,
  '4,000 comments': `{me{id}}${'#\n'.repeat(4_000)}`,
  'introspection query': getIntrospectionQuery(),
  'one user': '{user(id:1){id name}}',
};

/** All documents, ordered by the step that rejects them. */
export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  ...Object.entries(BY_ADMISSION).map(([name, text]) => ({ name, text, rejectedBy: 'admission' }) as const),
  ...Object.entries(BY_VALIDATION).map(([name, text]) => ({ name, text, rejectedBy: 'validation' }) as const),
  ...Object.entries(SERVED).map(([name, text]) => ({ name, text })),
];

/** Appends a comment so that the text has the given length. */
function padded(text: string, length: number): string {
  if (text.length > length) throw new RangeError(`The text has ${text.length} characters, which is more than ${length}.`);
  return `${text}${'#'.padEnd(length - text.length, '.')}`.slice(0, length);
}
