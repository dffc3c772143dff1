import fc from 'fast-check';
import { buildSchema } from 'graphql';

/** Types that share field names but differ in nullability, lists, leaves and arguments of these fields. */
export const OVERLAPPING_SCHEMA = buildSchema(`
  type Query { a: A, b: B, node: Node, any: Any, list: [A], strict: A!, deep: [[A!]], v: Int, w(p: Int, q: In): String }
  interface Node { node: Node, x(p: Int, q: In): Int, list: [Node], v: Int }
  type A implements Node { node: A, x(p: Int, q: In): Int, list: [A], v: Int, w(p: Int, q: In): String, self: A, other: B, any: Any, kind: Kind }
  type B implements Node { node: Node, x(p: Int, q: In): Int!, list: [B!], v: Int!, w: [String], self: B, other: A!, any: [Any], kind: String }
  type C { node: C, x: String, v: Float, w: A, self: [C], other: Node, any: Any, kind: Kind! }
  union Any = A | B | C
  enum Kind { ONE TWO }
  input In { a: Int, b: [In], c: String, d: Kind }
`);

const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Query: { a: 'A', b: 'B', node: 'Node', any: 'Any', list: 'A', strict: 'A', deep: 'A', v: '', w: '' },
  Node: { node: 'Node', x: '', list: 'Node', v: '' },
  A: { node: 'A', x: '', list: 'A', v: '', w: '', self: 'A', other: 'B', any: 'Any', kind: '' },
  B: { node: 'Node', x: '', list: 'B', v: '', w: '', self: 'B', other: 'A', any: 'Any', kind: '' },
  C: { node: 'C', x: '', v: '', w: 'A', self: 'C', other: 'Node', any: 'Any', kind: '' },
  Any: {},
};

/** Types whose fragments are allowed in a selection set of the type. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  Query: ['Query'],
  Node: ['Node', 'A', 'B', 'Any'],
  A: ['A', 'Node', 'Any'],
  B: ['B', 'Node', 'Any'],
  C: ['C', 'Any'],
  Any: ['Any', 'A', 'B', 'C', 'Node'],
};

const ARGUMENTS = [
  '',
  '',
  '',
  '(p: 1)',
  '(p: 2)',
  '(p: $p)',
  '(p: null)',
  '(q: {a: 1, c: "x"})',
  '(q: {c: "x", a: 1})',
  '(q: {a: 1, c: """x"""})',
  '(p: 1, q: {d: ONE})',
  '(q: {d: ONE}, p: 1)',
  '(q: {d: TWO}, p: 1)',
  '(q: {b: [{a: 1}, {a: 2}]})',
  '(q: {b: [{a: 2}, {a: 1}]})',
];
const ALIASES = ['', '', '', 'k', 'x', 'v', 'node'];

type Draw = (choices: number) => number;

/** Generates documents whose only occasional error is that fields with the same response key cannot be merged. */
export const randomOverlaps: fc.Arbitrary<string> = fc.array(fc.nat(1_000), { minLength: 10, maxLength: 90 }).map(write);

function write(draws: readonly number[]): string {
  let index = 0;
  const draw: Draw = (choices) => (draws[index++ % draws.length] ?? 0) % choices;
  const maxDepth = 2 + draw(3);
  const fragments: { readonly type: string; text: string }[] = [];

  const set = (type: string, depth: number): string => {
    const selections = Array.from({ length: 1 + draw(Math.max(1, 4 - depth)) }, () => selection(type, depth));
    return `{${selections.join(' ')}}`;
  };
  const selection = (type: string, depth: number): string => {
    const names = Object.keys(FIELDS[type] ?? {}).filter((name) => depth < maxDepth || FIELDS[type]?.[name] === '');
    const choice = draw(9);
    if (depth < maxDepth && choice < 2) return inline(type, depth);
    if (depth < maxDepth && choice === 2) return spread(type, depth);
    const name = choice === 3 ? undefined : names[draw(Math.max(1, names.length))];
    const alias = ALIASES[draw(ALIASES.length)] ?? '';
    const key = alias === '' || alias === name ? '' : `${alias}: `;
    if (name === undefined) return `${key}__typename`;
    const below = FIELDS[type]?.[name] ?? '';
    return `${key}${name}${below === '' ? argumentsOf(type, name) : set(below, depth + 1)}`;
  };
  const argumentsOf = (type: string, name: string): string => {
    const takes = (name === 'x' && type !== 'C') || (name === 'w' && (type === 'A' || type === 'Query'));
    return takes ? (ARGUMENTS[draw(ARGUMENTS.length)] ?? '') : '';
  };
  const innerType = (type: string): string => {
    const inside = INSIDE[type] ?? [];
    return inside[draw(inside.length)] ?? type;
  };
  const inline = (type: string, depth: number): string => {
    if (draw(4) === 0) return `...${set(type, depth + 1)}`;
    const inner = innerType(type);
    return `... on ${inner}${set(inner, depth + 1)}`;
  };
  const spread = (type: string, depth: number): string => {
    const fits = fragments.flatMap((fragment, number) => (fragment.text !== '' && INSIDE[type]?.includes(fragment.type) ? [number] : []));
    const known = fits[draw(Math.max(1, fits.length))];
    if (known !== undefined && draw(3) > 0) return `...F${known}`;
    const inner = innerType(type);
    // The text is empty while the fragment is incomplete, so that its content does not spread it.
    const fragment = { type: inner, text: '' };
    const number = fragments.push(fragment) - 1;
    fragment.text = `fragment F${number} on ${inner} ${set(inner, depth + 1)}`;
    return `...F${number}`;
  };

  const operations = Array.from({ length: 1 + (draw(4) === 0 ? 1 : 0) }, () => set('Query', 0));
  const texts = fragments.map(({ text }) => text).join(' ');
  return (
    operations.map((text, number) => `query Q${number}${usesVariable(text, texts) ? '($p: Int)' : ''} ${text}`).join(' ') + ` ${texts}`
  );
}

/** Exact for documents with one operation. With two operations, one can lack a variable that it needs. The tests skip these documents. */
function usesVariable(operation: string, fragments: string): boolean {
  return operation.includes('$p') || fragments.includes('$p');
}
