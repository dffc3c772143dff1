import { performance } from 'node:perf_hooks';
import { getIntrospectionQuery, parse } from 'graphql';
import { findExcesses } from '../gateway/operation/admit-document.ts';
import { gatewayConfig } from '../gateway/config/sections.ts';

// Times the pass over documents that were made to be expensive, and over one that was not.
// Run: npx tsx bench/admission.ts

const ROUNDS = 200;
const { limits } = gatewayConfig.parse({});

const repeat = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join('');

const doubling = (count: number) =>
  `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{...F${index + 1} ...F${index + 1}}`)}fragment F${count} on User{id}`;

const nested = (count: number) =>
  `{user(id:1){...F0}}${repeat(
    count,
    (index) => `fragment F${index} on User{posts{author{...F${index + 1}}} p:posts{author{...F${index + 1}}}}`,
  )}fragment F${count} on User{id}`;

const tangled = (count: number) => {
  const all = repeat(count, (index) => `...F${index} `);
  return `{user(id:1){...F0}}${repeat(count, (index) => `fragment F${index} on User{${all}}`)}`;
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  'introspection query': getIntrospectionQuery(),
  '7 nested doubling fragments': nested(7),
  '14 nested doubling fragments': nested(14),
  '40 nested doubling fragments': nested(40),
  '20 doubling fragments': doubling(20),
  '400 doubling fragments': doubling(400),
  '60 fragments that spread each other': tangled(60),
  '300 levels': `{user(id:1){${'posts{author{'.repeat(150)}id${'}}'.repeat(150)}}}`,
  '1,000 levels': `${'{a'.repeat(1_000)}${'}'.repeat(1_000)}`,
  '1,300 aliases': `{${repeat(1_300, (index) => `a${index}:b `)}}`,
  '100,000 aliases': `{${repeat(100_000, (index) => `a${index}:b `)}}`,
};

const rows = Object.entries(DOCUMENTS).map(([name, text]) => {
  const document = parse(text);
  const excesses = findExcesses(document, limits);
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    findExcesses(document, limits);
    return performance.now() - begin;
  }).toSorted((a, b) => a - b);
  const [median = 0, slowest = 0] = [times[ROUNDS / 2], times.at(-1)];
  const result = excesses.map(({ code }) => code.replace('_LIMIT_EXCEEDED', '').toLowerCase()).join(', ');
  return { document: name, bytes: text.length, 'median ms': round(median), 'slowest ms': round(slowest), beyond: result || 'nothing' };
});
console.table(rows);

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
