import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** A fenced code block of a page. */
export interface CodeBlock {
  readonly language: string;
  /** Words after the language, such as `output` or `config`. */
  readonly role: string;
  readonly text: string;
  /** Line of the fence, counted from 1. */
  readonly line: number;
}

/** A heading, without its markup. */
export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** A link to a file of the repository, or to an anchor of the page. */
export interface PageLink {
  /** Path below the root of the repository. */
  readonly target: string;
  readonly anchor: string | undefined;
}

/** A Markdown page of the repository. */
export interface MarkdownPage {
  readonly path: string;
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly links: readonly PageLink[];
  readonly blocks: readonly CodeBlock[];
  /** Lines outside of code blocks, with their numbers. */
  readonly prose: readonly { readonly line: number; readonly text: string }[];
}

/** Reads a page of the repository. */
export function readMarkdownPage(path: string): MarkdownPage {
  const text = readFileSync(join(packageRoot, path), 'utf8');
  const blocks: CodeBlock[] = [];
  const prose: { readonly line: number; readonly text: string }[] = [];
  let open: { readonly language: string; readonly role: string; readonly line: number; readonly lines: string[] } | undefined;
  text.split('\n').forEach((line, index) => {
    const fence = /^\s*```(?<language>\S*)\s*(?<role>.*)$/.exec(line);
    if (fence !== null && open !== undefined) {
      blocks.push({ ...open, text: open.lines.map((each) => `${each}\n`).join('') });
      open = undefined;
    } else if (fence !== null) {
      open = { language: fence.groups?.['language'] ?? '', role: fence.groups?.['role']?.trim() ?? '', line: index + 1, lines: [] };
    } else if (open !== undefined) open.lines.push(line);
    else prose.push({ line: index + 1, text: line });
  });
  return { path, text, blocks, prose, headings: prose.flatMap(headingIn), links: linksIn(path, prose.map((line) => line.text).join('\n')) };
}

function headingIn({ text }: { readonly text: string }): readonly Heading[] {
  const { hashes, words } = /^(?<hashes>#{1,6}) (?<words>.+)$/.exec(text)?.groups ?? {};
  return hashes === undefined || words === undefined ? [] : [{ level: hashes.length, text: words.replaceAll('`', '').trim() }];
}

function linksIn(path: string, prose: string): readonly PageLink[] {
  return [...prose.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\((?<href>[^)\s]+)\)/g)].flatMap(({ groups }) => {
    const href = groups?.['href'] ?? '';
    if (/^[a-z]+:/.test(href)) return [];
    const [file = '', anchor] = href.split('#');
    return [{ target: file === '' ? path : normalize(join(dirname(path), file)), anchor }];
  });
}
