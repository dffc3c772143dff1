import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { parseSync } from 'oxc-parser';
import { parse as parseYaml } from 'yaml';
import { productSchema } from '../../../cli/configuration.ts';
import { checkSections } from '../../../gateway/config/check-sections.ts';
import { compileSettings } from '../../../gateway/config/settings.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { withRestDirectives } from '../../../rest-facade/compile/documents/directives.ts';
import { checkCommands } from './check-commands.ts';
import type { CodeBlock } from './markdown-page.ts';

/** Returns the errors of a block. Empty for a valid one. May throw for a block that cannot be parsed. */
type BlockCheck = (text: string) => readonly string[];

const settings = compileSettings(productSchema);
let reference: GraphQLSchema | undefined;

/** Returns the schema that clients of the reference graph see. */
function referenceSchema(): GraphQLSchema {
  reference ??= loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8')).schema;
  return reference;
}

function checkConfiguration(text: string): readonly string[] {
  const checked = checkSections(productSchema, settings, parseYaml(text), () => undefined);
  return 'problems' in checked ? checked.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

function checkComposition(text: string): readonly string[] {
  const { subgraphs } = parseYaml(text) as {
    readonly subgraphs?: Readonly<Record<string, { readonly url?: string; readonly files?: readonly string[] }>>;
  };
  const entries = Object.entries(subgraphs ?? {});
  return entries.length > 0 && entries.every(([, { url, files }]) => files !== undefined || URL.canParse(url ?? ''))
    ? []
    : ['a subgraph has neither files nor a URL'];
}

function checkOperation(text: string): readonly string[] {
  return validate(referenceSchema(), parse(text)).map(({ message }) => message);
}

function checkRestDocument(text: string): readonly string[] {
  return validate(withRestDirectives(referenceSchema()), parse(text)).map(({ message }) => message);
}

function checkProgram(text: string): readonly string[] {
  return parseSync('block.mjs', text).errors.map(({ message }) => message);
}

/** Checks that a text begins like an HTTP message, or consists of headers and lines of a stream. */
function checkHttp(text: string): readonly string[] {
  const [first = ''] = text.split('\n');
  return /^(?:HTTP\/1\.1 \d{3} |[A-Z]+ \S+|[A-Za-z-]+: ?\S)/.test(first) ? [] : [`not an HTTP message: ${first}`];
}

const parsed =
  (read: (text: string) => unknown): BlockCheck =>
  (text) => {
    read(text);
    return [];
  };

const CHECKS: Readonly<Record<string, BlockCheck>> = {
  'yaml config': checkConfiguration,
  'yaml composition': checkComposition,
  yaml: parsed(parseYaml),
  graphql: checkOperation,
  'graphql schema': parsed((text) => parse(text)),
  'graphql rest': checkRestDocument,
  js: checkProgram,
  json: parsed(JSON.parse),
  // Executed, compared with output, or compiled by the test that calls this one.
  sh: () => [],
  'sh command': checkCommands,
  ts: () => [],
  'http webhook': () => [],
  'text websocket': () => [],
  'graphql webhook': parsed((text) => parse(text)),
  'text drawing': () => [],
  // Generated from the commands.
  'text usage': () => [],
  // The response of a gateway with other settings.
  'http example': checkHttp,
  'text output': () => [],
  'json output': () => [],
  'http output': () => [],
};

/** Checks of the files of a tutorial by language. `npm run prove first-hour` executes tutorials. */
const FILE_CHECKS: Readonly<Record<string, BlockCheck>> = {
  js: checkProgram,
  ts: () => [],
  graphql: parsed((text) => parse(text)),
  yaml: (text) => (text.startsWith('output:') ? checkComposition(text) : checkConfiguration(text)),
  json: parsed(JSON.parse),
  nginx: () => [],
  dockerfile: () => [],
};

/** Returns the errors of a code block of a page: an unknown role, or invalid contents. */
export function checkBlock({ language, role, text }: CodeBlock): readonly string[] {
  if (role.startsWith('title=')) return run(FILE_CHECKS[language] ?? (() => [`files in ${language} are not checked`]), text);
  const kind = (role.startsWith('terminal=') ? language : `${language} ${role}`).trim();
  const check = CHECKS[kind];
  if (check === undefined) return [`"${kind}" is not a kind of code block: ${Object.keys(CHECKS).join(', ')}`];
  return run(check, text);
}

function run(check: BlockCheck, text: string): readonly string[] {
  try {
    return check(text);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
