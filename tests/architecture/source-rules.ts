/** A rule that holds for the text of one file. Gives the line at fault, or nothing. */
export interface SourceRule {
  readonly name: string;
  /** Whether the rule says anything about the file at this path. */
  readonly appliesTo: (path: string) => boolean;
  readonly violation: (text: string) => string | undefined;
}

/** A file of which a reader should ask why it is one. */
export const MAX_LINES = 400;

const isShipped = (path: string) => /^(?:gateway|rest-facade|subgraphs|cli)\/.*\.ts$/.test(path);

/** Written by a tool, from something that is checked itself. */
const isGenerated = (path: string) =>
  /\/generated\/|(?:^|\/)package-lock\.json$|^schema\/openapi\.v\d+\.yaml$/.test(path) ||
  ['schema/supergraph.graphql', 'schema/released-supergraph.graphql', 'docs/reference/configuration.md'].includes(path);

/** Says what a compiler must refuse, in a program that is compiled by the test. */
const TYPE_TEST = 'tests/integration/rest/openapi/typed-client.test.ts';

const firstLine = (pattern: RegExp) => (text: string) => text.split('\n').find((line) => pattern.test(line));

export const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: `at most ${MAX_LINES} lines`,
    appliesTo: (path) => !isGenerated(path) && path !== 'LICENSE',
    violation: (text) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > MAX_LINES ? `${lines} lines` : undefined;
    },
  },
  {
    // The import rules do not see `export type … from`, so re-exports stay where they are looked for.
    name: 're-exports only in index.ts',
    appliesTo: (path) => isShipped(path) && !/^(?:gateway|gateway\/apollo-server|rest-facade)\/index\.ts$/.test(path) && !isGenerated(path),
    violation: (text) => /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s/m.exec(text)?.[0],
  },
  {
    name: 'process.env only at the edges',
    // The tooling is not published: it starts processes, which get the environment.
    appliesTo: (path) =>
      isShipped(path) && !path.startsWith('cli/tooling/') && !['cli/process-terminal.ts', 'subgraphs/main.ts'].includes(path),
    violation: firstLine(/\bprocess\.env\b|import \{[^}]*\benv\b[^}]*\} from 'node:process'/),
  },
  {
    name: 'no notes to self, no switched-off checks',
    appliesTo: (path) => /\.(?:ts|js)$/.test(path) && !path.startsWith('tests/architecture/') && path !== TYPE_TEST && !isGenerated(path),
    violation: firstLine(/\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error|nocheck)|(?:oxlint|eslint)-disable|biome-ignore/),
  },
  {
    name: 'no casts through unknown',
    appliesTo: (path) => isShipped(path) && !isGenerated(path),
    violation: firstLine(/\bas unknown as\b/),
  },
  {
    name: 'no names that say nothing',
    appliesTo: (path) => /(?:^|\/)(?:utils?|helpers?|common|types|misc)\.(?:ts|js)$/.test(path),
    violation: () => 'name the file after what it holds',
  },
];

/** What is wrong with one file: `rule: line`. */
export function violationsIn(path: string, text: string): readonly string[] {
  return SOURCE_RULES.filter((rule) => rule.appliesTo(path)).flatMap((rule) => {
    const violation = rule.violation(text);
    return violation === undefined ? [] : [`${path}: ${rule.name}: ${violation.trim()}`];
  });
}
