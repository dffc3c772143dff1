import { join } from 'node:path';
import { SPECIAL_NAMES, environmentNameOf } from '../../gateway/config/read-environment-layer.ts';
import { type Setting, type ValueSetting, compileSettings } from '../../gateway/config/settings.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { productSchema } from '../configuration.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Generates `docs/configuration.md` from the schema of the configuration. */
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
  'Settings come from `gatefold.yaml` (or the file that `--config` names), from environment variables and from the command',
  'line; a later source takes precedence over an earlier one. All settings are optional. All mistakes are reported together,',
  'each with its location, the expected value and a suggestion. Unknown keys and unknown `GATEFOLD_` variables are mistakes.',
  '',
  '```yaml',
  'server:',
  '  port: 4000',
  'supergraph:',
  '  file: supergraph.graphql # relative to this file',
  '```',
  '',
  'Name of a variable: `GATEFOLD_`, the section, `__`, the key in capital letters (`GATEFOLD_SERVER__MAX_BODY_BYTES` for',
  '`server.maxBodyBytes`; underscores inside a key are ignored). Lists are written as JSON. An empty variable counts as not',
  'set. Some settings have a special name:',
  '',
  '| variable | setting |',
  '| --- | --- |',
  ...[...SPECIAL_NAMES].map(([name, path]) => `| \`${name}\` | \`${path.join('.')}\` |`),
  '| `SUBGRAPH_<NAME>_URL` | `subgraphs.override.<name>.url`, with any separators in the name |',
  '',
  'The REST facade is served if any key of the section `rest` is set, by any source.',
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
