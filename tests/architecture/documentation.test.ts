import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../../cli/command-line.ts';
import { productSchema } from '../../cli/configuration.ts';
import { generateConfigurationPage } from '../../cli/tooling/reference/configuration-page.ts';
import { generateWebhooksConfigurationPage } from '../../cli/tooling/reference/webhooks-configuration-page.ts';
import { generateCliPage } from '../../cli/tooling/reference/cli-page.ts';
import { generateErrorCodesPage } from '../../cli/tooling/reference/error-codes-page.ts';
import { generateTelemetryPage } from '../../cli/tooling/reference/telemetry-page.ts';
import { generatePackageExportsPage } from '../../cli/tooling/reference/package-exports-page.ts';
import { generateRestDirectivesPage } from '../../cli/tooling/reference/rest-directives-page.ts';
import { anchorOf } from '../../docs/.vitepress/anchors.ts';
import { valuePaths } from '../../gateway/config/check-sections.ts';
import { resolveGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { compileSettings } from '../../gateway/config/settings.ts';
import { ERROR_CODES } from '../../gateway/platform/errors.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { REST_DIRECTIVE_NAMES } from '../../rest-facade/compile/documents/directives.ts';
import { undocumentedHeaders } from '../support/http/documented-headers.ts';
import { documentationPages, pagePathsBelow } from '../support/pages/documentation-pages.ts';
import type { MarkdownPage } from '../support/pages/markdown-page.ts';

/** Width at which prose is wrapped. @unit characters */
const WIDTH = 100;

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const pages: ReadonlyMap<string, MarkdownPage> = new Map(documentationPages().map((page) => [page.path, page]));
const isGenerated = (page: MarkdownPage) => page.text.startsWith('<!-- Generated');

/** Returns the lines of a page without those that `npm run bench` writes. */
function writtenByHand({ prose }: MarkdownPage): MarkdownPage['prose'] {
  const at = (marker: string) => prose.find(({ text }) => text.startsWith('<!-- Written by') && text.includes(marker))?.line;
  const [begin, end] = [at(': begin'), at(': end')];
  return begin === undefined || end === undefined ? prose : prose.filter(({ line }) => line < begin || line > end);
}

/** Describes the problem of a link, or returns undefined for a link that works. */
function brokenLink({ target, anchor }: { readonly target: string; readonly anchor: string | undefined }): string | undefined {
  if (!existsSync(join(packageRoot, target))) return `${target} does not exist`;
  const page = pages.get(target);
  if (anchor === undefined || page === undefined) return undefined;
  return page.headings.some(({ text }) => anchorOf(text) === anchor) ? undefined : `${target} has no heading for #${anchor}`;
}

describe('the documentation', () => {
  it('has links that work', () => {
    const broken = [...pages.values()].flatMap((page) =>
      page.links.flatMap((link) => {
        const problem = brokenLink(link);
        return problem === undefined ? [] : [`${page.path}: ${problem}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('reports a link to a missing page and to a missing heading', () => {
    expect(brokenLink({ target: 'docs/missing.md', anchor: undefined })).toBe('docs/missing.md does not exist');
    expect(brokenLink({ target: 'docs/glossary.md', anchor: 'missing' })).toBe('docs/glossary.md has no heading for #missing');
    expect(brokenLink({ target: 'docs/glossary.md', anchor: 'words-to-avoid' })).toBeUndefined();
  });

  it('has no page that cannot be reached from its index', () => {
    const reached = new Set(['docs/README.md']);
    for (const path of reached) for (const { target } of pages.get(path)?.links ?? []) if (target.endsWith('.md')) reached.add(target);
    expect(pagePathsBelow('docs').filter((path) => !reached.has(path))).toEqual([]);
  });

  it('has one title on each page, and a table of contents where there are three sections', () => {
    const problems = [...pages.values()].flatMap((page) => {
      const titles = page.headings.filter(({ level }) => level === 1).length;
      const sections = page.headings.filter(({ level }) => level === 2);
      const listed = new Set(page.links.flatMap(({ target, anchor }) => (target === page.path && anchor !== undefined ? [anchor] : [])));
      const missing =
        page.path.startsWith('docs/adr/') || !page.path.startsWith('docs/') || page.path.endsWith('README.md') || sections.length < 3
          ? []
          : sections.filter(({ text }) => !listed.has(anchorOf(text)));
      const unlisted = missing.map(({ text }) => `${page.path} does not list "${text}"`);
      return titles === 1 ? unlisted : [`${page.path} has ${titles} titles`];
    });
    expect(problems).toEqual([]);
  });

  it(`wraps its prose at ${WIDTH} characters`, () => {
    const long = [...pages.values()].flatMap((page) =>
      isGenerated(page)
        ? []
        : writtenByHand(page)
            .filter(({ text }) => text.length > WIDTH && !/^\s*(?:\||- \[|!?\[|<!--|#)/.test(text) && text.trim().includes(' '))
            .filter(({ text }) => !/\]\([^)]{40,}\)/.test(text))
            .map(({ line, text }) => `${page.path}:${line}: ${text.length} characters`),
    );
    expect(long).toEqual([]);
  });
});

describe('the reference', () => {
  it('is what `npm run generate` writes', () => {
    const generated = [
      generateConfigurationPage(),
      generateWebhooksConfigurationPage(),
      generateCliPage(),
      generateErrorCodesPage(),
      generateTelemetryPage(),
      generatePackageExportsPage(),
      generateRestDirectivesPage(),
    ];
    for (const { path, text } of generated) expect({ path, text: readFileSync(path, 'utf8') }).toEqual({ path, text });
  });

  it('has every configuration key', () => {
    const page = read('docs/reference/configuration.md');
    const keys = [...valuePaths(compileSettings(productSchema))].map((path) => path.slice(1).join('.') || path.join('.'));
    expect(keys.length).toBeGreaterThan(200);
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });

  it('has every error code', () => {
    const page = read('docs/reference/error-codes.md');
    expect(ERROR_CODES.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });

  it('has every command with its options', () => {
    const page = read('docs/reference/cli.md');
    const silent = { env: {}, print: () => undefined, warn: () => undefined, stopSignal: () => AbortSignal.timeout(1_000) };
    const commands = createProgram(silent).commands.flatMap((command) => (command.commands.length === 0 ? [command] : command.commands));
    expect(commands.length).toBeGreaterThan(7);
    for (const command of commands) {
      expect(page).toContain(`${command.name()}\``);
      for (const { flags } of command.options) expect(page).toContain(`\`${flags}\``);
    }
  });

  it('has every REST directive', () => {
    const page = read('docs/reference/rest-directives.md');
    expect([...REST_DIRECTIVE_NAMES].filter((name) => !page.includes(`## @${name}\n`))).toEqual([]);
  });

  it('has every GraphQL directive of the reference graph', () => {
    const page = read('docs/reference/graphql-directives.md');
    const folder = join(packageRoot, 'schema/directives');
    const definitions = readdirSync(folder).flatMap((file) => read(`schema/directives/${file}`).match(/^directive @\w+/gm) ?? []);
    expect(definitions.length).toBeGreaterThan(2);
    for (const definition of definitions) expect(page).toContain(`\`${definition.slice('directive '.length)}(`);
  });

  it('has every response header that browsers may read, and reports one that is missing', () => {
    expect(undocumentedHeaders(resolveGatewayConfig({}).server.cors.exposedHeaders)).toEqual([]);
    expect(undocumentedHeaders(['ETag', 'X-Planted'])).toEqual(['X-Planted']);
  });
});
