import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { EXCEPTIONS } from './vocabulary/exceptions.ts';
import { VOCABULARY_RULES, vocabularyViolations } from './vocabulary/rules.ts';
import { readTexts } from './vocabulary/texts.ts';

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const projectFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: packageRoot, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !path.endsWith('package-lock.json'));

const PLANTED: readonly (readonly [rule: string, kind: string, path: string, source: string])[] = [
  ['no words to avoid', 'comment', 'gateway/x.ts', '// The subgraph was asked once.'],
  ['no words to avoid', 'doc comment', 'tests/support/x.ts', '/** Sends the answer. */'],
  ['no words to avoid', 'message', 'rest-facade/x.ts', "throw new Error('A date is none.');"],
  ['no words to avoid', 'message', 'cli/x.ts', 'const text = `Nobody has ${name}.`;'],
  ['no words to avoid', 'test title', 'tests/x.test.ts', "it('sends the reply', () => {});"],
  ['no words to avoid', 'test title', 'tests/x.test.ts', "describe.each([1])('each door, %s', () => {});"],
  ['no words to avoid', 'documentation', 'docs/guides/x.md', 'Clients are told the cost.'],
  ['no words to avoid', 'documentation', 'schema/subgraphs/x.graphql', 'type Query {\n  "Kept for a day."\n  a: Int\n}'],
  ['no words to avoid', 'comment', 'schema/rest/x.graphql', '# A second door\nquery { a }'],
  ['no words to avoid', 'comment', 'docker-compose.yml', 'services: {} # whoever needs them'],
  ['no words to avoid', 'comment', 'subgraphs/x.sql', '-- kept for a day\nSELECT 1'],
  ['no words to avoid in names', 'name', 'gateway/x.ts', 'const keptAnswer = 1;'],
  ['no words to avoid in names', 'name', 'tests/x.ts', 'const a = { door: 1 };'],
  ['American spelling', 'documentation', 'docs/guides/x.md', 'The behaviour of the gateway.'],
  ['American spelling', 'comment', 'gateway/x.ts', '// Normalised once.'],
  ['doc comments begin with a verb or a noun', 'doc comment', 'gateway/x.ts', '/** What the client sent. */\nconst a = 1;'],
  ['doc comments begin with a verb or a noun', 'doc comment', 'gateway/x.ts', '/**\n * Of the request, in lower case.\n */\nconst a = 1;'],
  ['test titles of at most 140 characters', 'test title', 'tests/x.test.ts', `it('${'a'.repeat(141)}', () => {});`],
];

describe('the vocabulary', () => {
  it.each(PLANTED)('%s: a violation in a %s of %s is found', (rule, kind, path, source) => {
    const found = vocabularyViolations(path, source);
    expect(found).toEqual([expect.stringMatching(`^${path}:\\d+: ${rule}: .+ \\(${kind}\\)$`)]);
  });

  it('has a planted violation for each rule', () => {
    expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(VOCABULARY_RULES.map(({ name }) => name)));
  });

  it('ignores code, links and the data of tests', () => {
    expect(vocabularyViolations('docs/x.md', '`door` and [a link](door.md)\n\n```sh\ncurl door\n```')).toEqual([]);
    expect(vocabularyViolations('tests/x.test.ts', "expect(body).toBe('the answer of a server');")).toEqual([]);
    expect(vocabularyViolations('gateway/x.ts', "const header = 'door';")).toEqual([]);
  });

  it('bans each word that the glossary replaces', () => {
    const rows =
      read('docs/glossary.md')
        .split('## Words to avoid')[1]
        ?.matchAll(/^\| (?<words>[^|]+) \| [^|]+ \|$/gm) ?? [];
    const words = [...rows].flatMap(({ groups }) => [...(groups?.['words'] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word) => vocabularyViolations('docs/x.md', `The ${word}.`).length === 0)).toEqual([]);
  });

  it('has a reason, and a use, for each exception', () => {
    for (const { path, words, reason } of EXCEPTIONS) {
      expect(reason.length).toBeGreaterThan(10);
      const texts = readTexts(path, read(path)).map(({ text }) => text.toLowerCase());
      expect(words.filter((word) => !texts.some((text) => text.includes(word)))).toEqual([]);
    }
  });

  it('is the one that all files of the project use', () => {
    expect(projectFiles().flatMap((path) => vocabularyViolations(path, read(path)))).toEqual([]);
  });
});
