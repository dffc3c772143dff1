import { parseSync, Visitor } from 'oxc-parser';

/** The purpose of a text: each rule applies to some of them. */
export type TextKind = 'doc comment' | 'comment' | 'documentation' | 'message' | 'test title' | 'name';

/** One text that people read. */
export interface ReadableText {
  readonly kind: TextKind;
  /** Line of the file on which the text begins, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Reads the texts of a file: comments, descriptions, messages and titles of tests. Files of other types have none. */
export function readTexts(path: string, source: string): readonly ReadableText[] {
  if (/\.(?:ts|tsx|js|mjs)$/.test(path)) return readProgram(path, source);
  if (path.endsWith('.md')) return readMarkdown(source);
  if (path.endsWith('.graphql')) return [...readLines(source, /#\s?(.*)$/), ...readDescriptions(source)];
  if (/\.ya?ml$/.test(path)) return readLines(source, /(?:^|\s)#\s(.*)$/);
  return path.endsWith('.sql') ? readLines(source, /--\s?(.*)$/) : [];
}

const TITLE_FUNCTIONS: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

function readProgram(path: string, source: string): readonly ReadableText[] {
  const { comments, program } = parseSync(path, source);
  const lineAt = lineCounter(source);
  const texts: ReadableText[] = comments.map(({ type, value, start }) => ({
    kind: type === 'Block' && value.startsWith('*') ? 'doc comment' : 'comment',
    line: lineAt(start),
    text: value.replaceAll(/^\s*\*+ ?/gm, '').trim(),
  }));
  const titles = new Set<number>();
  const isTest = path.startsWith('tests/');
  const add = (start: number, text: string): void => {
    if (titles.has(start)) texts.push({ kind: 'test title', line: lineAt(start), text });
    // The strings of tests are data: requests, expected messages, names of servers.
    else if (!isTest && /\S\s+\S/.test(text)) texts.push({ kind: 'message', line: lineAt(start), text });
  };
  const names = new Map<string, number>();
  new Visitor({
    Identifier({ name, start }) {
      if (!names.has(name)) names.set(name, start);
    },
    CallExpression(call) {
      const [title] = call.arguments;
      if (isTest && title !== undefined && TITLE_FUNCTIONS.has(nameOfCallee(call.callee))) titles.add(title.start);
    },
    Literal(literal) {
      if (typeof literal.value === 'string') add(literal.start, literal.value);
    },
    TemplateLiteral(template) {
      add(template.start, template.quasis.map(({ value }) => value.cooked ?? value.raw).join('…'));
    },
  }).visit(program);
  for (const [name, start] of names) texts.push({ kind: 'name', line: lineAt(start), text: wordsOf(name) });
  return texts;
}

/** Splits an identifier into its words: `toHttpResponse` into `to http response`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ').toLowerCase();
}

interface Callee {
  readonly type: string;
  readonly name?: unknown;
  readonly object?: unknown;
  readonly callee?: unknown;
  readonly tag?: unknown;
}

/** Returns the name of the function that is called at last: `it` for `it.each(table)(…)`. */
function nameOfCallee(callee: Callee): string {
  if (callee.type === 'Identifier') return String(callee.name);
  const inner = callee.object ?? callee.callee ?? callee.tag;
  return inner === undefined || inner === null ? '' : nameOfCallee(inner as Callee);
}

function readMarkdown(source: string): readonly ReadableText[] {
  let isInFence = false;
  return source.split('\n').flatMap((text, index): readonly ReadableText[] => {
    if (/^\s*```/.test(text)) {
      isInFence = !isInFence;
      return [];
    }
    // The target of a link is a path, and not a word.
    return isInFence ? [] : [{ kind: 'documentation', line: index + 1, text: text.replaceAll(/\]\([^)]*\)/g, ']') }];
  });
}

function readLines(source: string, comment: RegExp): readonly ReadableText[] {
  return source.split('\n').flatMap((line, index): readonly ReadableText[] => {
    const text = comment.exec(line)?.[1];
    return text === undefined ? [] : [{ kind: 'comment', line: index + 1, text }];
  });
}

function readDescriptions(source: string): readonly ReadableText[] {
  const lineAt = lineCounter(source);
  const descriptions = source.matchAll(/"""([\s\S]*?)"""|^\s*"([^"\n]+)"\s*$/gm);
  return [...descriptions].map(({ index, 1: block, 2: line }) => ({
    kind: 'documentation',
    line: lineAt(index),
    text: (block ?? line ?? '').trim(),
  }));
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
