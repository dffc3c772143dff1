import { join } from 'node:path';
import { SPECIAL_NAMES, environmentNameOf } from '../../gateway/config/read-environment-layer.ts';
import { type Setting, type ValueSetting, compileSettings } from '../../gateway/config/settings.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { productSchema } from '../configuration.ts';
import type { GeneratedFile } from './generated-file.ts';

/** `docs/configuration.md`: every key, from the schema that reads it. */
export function generateConfigurationPage(root: string = packageRoot): GeneratedFile {
  const { keys } = compileSettings(productSchema);
  const top = [...keys].flatMap(([key, setting]) => (setting.kind === 'value' ? [row([key], setting)] : []));
  const sections = [...keys].flatMap(([key, setting]) => (setting.kind === 'section' ? sectionOf(key, setting.keys) : []));
  return { path: join(root, 'docs/configuration.md'), text: `${[...INTRODUCTION, ...table(top), ...sections].join('\n')}\n` };
}

const INTRODUCTION = [
  '<!-- Generated from the schema by `npm run generate`; edits are lost. -->',
  '',
  '# Configuration',
  '',
  'Settings come from `gatefold.yaml` (or the file that `--config` names), from the environment and from the command line;',
  'the later stands above the earlier. All are optional. What is wrong is told at once, each mistake with its place, what',
  'was expected, and what was probably meant; unknown keys and unknown `GATEFOLD_` variables are mistakes.',
  '',
  '```yaml',
  'server:',
  '  port: 4000',
  'supergraph:',
  '  file: supergraph.graphql # relative to this file',
  '```',
  '',
  'Variables: `GATEFOLD_`, the section, `__`, the key in capitals (`GATEFOLD_SERVER__MAX_BODY_BYTES` for',
  '`server.maxBodyBytes`; underscores inside a key do not count). Lists are written as JSON. A variable that is set to',
  'nothing counts as not set. Some settings have a name of their own:',
  '',
  '| variable | setting |',
  '| --- | --- |',
  ...[...SPECIAL_NAMES].map(([name, path]) => `| \`${name}\` | \`${path.join('.')}\` |`),
  '| `SUBGRAPH_<NAME>_URL` | `subgraphs.override.<name>.url`, whatever the separators in the name |',
  '',
  'The REST facade is served where the section `rest` has a key, in whichever way.',
  '',
];

const HEADER = ['| key | meaning | unit | default | variable |', '| --- | --- | --- | --- | --- |'];

function sectionOf(name: string, keys: ReadonlyMap<string, Setting>): readonly string[] {
  const rows = [...keys].flatMap(([key, setting]) => rowsBelow([name, key], setting));
  return ['', `## ${name}`, '', ...table(rows)];
}

function table(rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [...HEADER, ...rows];
}

function rowsBelow(path: readonly string[], setting: Setting): readonly string[] {
  if (setting.kind === 'value') return [row(path, setting)];
  if (setting.kind === 'record') return rowsBelow([...path, '<name>'], setting.value);
  return [...setting.keys].flatMap(([key, child]) => rowsBelow([...path, key], child));
}

function row(path: readonly string[], setting: ValueSetting): string {
  const fallback = setting.defaultValue === undefined ? '' : `\`${JSON.stringify(setting.defaultValue)}\``;
  const meaning = `${setting.description} ${sentence(setting.expected)}${setting.isSecret ? ' Secret: never printed.' : ''}`;
  const cells = [
    `\`${path.slice(1).join('.') || path.join('.')}\``,
    meaning,
    setting.unit ?? '',
    fallback,
    `\`${environmentNameOf(path)}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').trim()).join(' | ')} |`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
