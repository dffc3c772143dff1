import { settingAt } from '../../../gateway/config/check-sections.ts';
import type { EnvironmentNames } from '../../../gateway/config/environment-names.ts';
import { environmentNameOf } from '../../../gateway/config/read-environment-layer.ts';
import type { SectionSetting, Setting, ValueSetting } from '../../../gateway/config/settings.ts';
import { table } from './markdown.ts';

type Row = readonly string[];

/** Rows of the tables of settings. */
export interface SettingRows {
  /** Settings outside of all sections. */
  readonly top: readonly Row[];
  /** Returns the settings of a section. */
  below(section: string): readonly Row[];
}

/** Prints a table of settings. */
export const settingsTable = (rows: readonly Row[]): string => table(['key', 'meaning', 'unit', 'default', 'variable'], rows);

/** Describes all settings of a schema, one row each. */
export function rowsOf(settings: SectionSetting, variables: EnvironmentNames): SettingRows {
  const top = [...settings.keys].flatMap(([key, setting]) => (setting.kind === 'value' ? [row([key], setting)] : []));
  return { top, below: (section) => rowsBelow([section], settings.keys.get(section)) };

  function rowsBelow(path: readonly string[], setting: Setting | undefined): readonly Row[] {
    if (setting === undefined) return [];
    if (setting.kind === 'value') return [row(path, setting)];
    if (setting.kind === 'record') return rowsBelow([...path, '<name>'], setting.value);
    return [...setting.keys].flatMap(([key, child]) => rowsBelow([...path, key], child));
  }

  function row(path: readonly string[], setting: ValueSetting): Row {
    const fallback = setting.defaultValue === undefined ? '' : `\`${JSON.stringify(setting.defaultValue)}\``;
    return [
      `\`${path.slice(1).join('.') || path.join('.')}\``,
      meaningOf(path, setting, settings),
      setting.unit ?? '',
      fallback,
      `\`${environmentNameOf(path, variables)}\``,
    ];
  }
}

function meaningOf(path: readonly string[], setting: ValueSetting, root: SectionSetting): string {
  // A setting of one subgraph has the meaning of the setting for all subgraphs.
  const general = path[1] === 'override' ? [path[0] ?? '', ...path.slice(3)] : undefined;
  const same = general === undefined ? undefined : settingAt(root, general);
  if (general !== undefined && same?.kind === 'value') return `Value of \`${general.join('.')}\` for this subgraph.`;
  return `${setting.description} ${sentence(setting.expected)}${setting.isSecret ? ' Secret: never printed.' : ''}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
