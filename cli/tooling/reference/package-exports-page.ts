import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED, table } from './markdown.ts';

/** Entry points of `package.json`, with the source of each. */
const ENTRY_POINTS: readonly (readonly [specifier: string, source: string])[] = [
  ['gatefold', 'gateway/index.ts'],
  ['gatefold/apollo', 'gateway/apollo-server/index.ts'],
  ['gatefold/rest', 'rest-facade/index.ts'],
  ['gatefold/subgraph', 'gateway/subgraph-identity/index.ts'],
  ['gatefold/errors', 'gateway/platform/errors.ts'],
];

/** A name that the package exports. */
interface ExportedName {
  readonly name: string;
  readonly kind: string;
  /** First sentence of its doc comment. */
  readonly summary: string;
}

/** Generates `docs/reference/package-exports.md`: every name that the published package exports, with the first sentence of its doc comment. */
export function generatePackageExportsPage(root: string = packageRoot): GeneratedFile {
  const sections = ENTRY_POINTS.flatMap(([specifier, source]) => [
    '',
    `## ${specifier}`,
    '',
    table(
      ['name', 'kind', 'purpose'],
      exportsOf(join(packageRoot, source))
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
        .map(({ name, kind, summary }) => [`\`${name}\``, kind, summary]),
    ),
  ]);
  const text = [
    GENERATED,
    '',
    '# Package exports',
    '',
    'Names that the package `gatefold` exports. Their types carry the full documentation: units, defaults and errors.',
    '',
    ...ENTRY_POINTS.map(([specifier]) => `- [${specifier}](#${specifier.replaceAll('/', '')})`),
    ...sections,
  ];
  return { path: join(root, 'docs/reference/package-exports.md'), text: `${text.join('\n')}\n` };
}

function exportsOf(file: string): readonly ExportedName[] {
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  return program.body.flatMap((statement): readonly ExportedName[] => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    if (statement.source === null) return declarationsOf(file).filter(({ start }) => start === statement.start);
    const declared = declarationsOf(join(dirname(file), statement.source.value));
    return statement.specifiers.map(({ exported }) => {
      const name = 'name' in exported ? exported.name : exported.value;
      const found = declared.find((declaration) => declaration.name === name);
      if (found === undefined) throw new Error(`${file} exports ${name}, which ${statement.source?.value} does not declare.`);
      return found;
    });
  });
}

/** Lists the exported declarations of a file. */
function declarationsOf(file: string): readonly (ExportedName & { readonly start: number })[] {
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
    const { declaration, start } = statement;
    const comment = comments.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
    const summary = firstSentence(comment?.value ?? '');
    const id =
      declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : 'id' in declaration ? declaration.id : undefined;
    if (id?.type !== 'Identifier') return [];
    return [{ name: id.name, kind: kindOf(declaration.type), summary, start }];
  });
}

const KINDS: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
};

const kindOf = (type: string) => KINDS[type] ?? 'type';

function firstSentence(comment: string): string {
  const [text = ''] = comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .trim()
    .split(/\n\s*\n|\n\s*@/);
  return /^[\s\S]*?[.:](?=\s|$)/.exec(text.replaceAll('\n', ' '))?.[0].replace(/:$/, '.') ?? text.replaceAll('\n', ' ');
}
