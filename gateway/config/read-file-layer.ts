import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, type Node, type Pair, isAlias, isMap, isScalar, parseDocument } from 'yaml';
import { systemErrorCode } from '../platform/file-errors.ts';
import { settingAt } from './check-sections.ts';
import { ConfigurationInvalid, type ConfigurationProblem, type Origin, originField } from './configuration-invalid.ts';
import type { Entry, Layer } from './layer.ts';
import { type OldName, renamedSettingAt } from './renamed-settings.ts';
import type { SectionSetting } from './settings.ts';

interface Found {
  readonly entries: Entry[];
  readonly problems: ConfigurationProblem[];
  readonly oldNames: OldName[];
  readonly keyOrigins: Map<string, Origin>;
  readonly valueOrigins: Map<string, Origin>;
}

/**
 * Reads the values of a YAML file with their locations.
 *
 * @throws ConfigurationInvalid when the file cannot be read or is not valid YAML
 */
export function readFileLayer(file: string, settings: SectionSetting): Layer {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const originAt = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { kind: 'file', file, line, column: col };
  };
  if (document.errors.length > 0) {
    throw new ConfigurationInvalid(
      document.errors.map(({ message, pos }) => ({ path: '', origin: originAt(pos[0]), message: `invalid YAML: ${message}` })),
    );
  }
  const found: Found = { entries: [], problems: [], oldNames: [], keyOrigins: new Map(), valueOrigins: new Map() };
  const root = document.contents;
  if (isMap(root)) collect(root.items, []);
  else if (root !== null && !(isScalar(root) && root.value === null)) {
    found.problems.push({ path: '', origin: originAt(root.range?.[0] ?? 0), message: 'expected sections at the top level of the file' });
  }
  return {
    entries: found.entries,
    problems: [...found.problems, ...found.oldNames.flatMap(setTwice)],
    oldNames: found.oldNames,
    originOf: (path, part) => (part === 'key' ? found.keyOrigins : found.valueOrigins).get(path.join('\n')),
  };

  function collect(pairs: readonly Pair<Node, Node | null>[], parent: readonly string[]): void {
    for (const { key, value } of pairs) {
      const written = [...parent, String(isScalar(key) ? key.value : key)];
      const renamed = renamedSettingAt(written);
      const path = renamed?.to ?? written;
      const keyOrigin = originAt(key.range?.[0] ?? 0);
      if (renamed !== undefined) found.oldNames.push({ ...renamed, origin: keyOrigin });
      found.keyOrigins.set(path.join('\n'), keyOrigin);
      if (value === null || (isScalar(value) && value.value === null)) continue;
      const origin = originAt(value.range?.[0] ?? 0);
      found.valueOrigins.set(path.join('\n'), origin);
      if (isAlias(value)) {
        found.problems.push({
          path: path.join('.'),
          origin,
          message: 'YAML aliases are not supported',
          hint: 'Write the value instead of the alias.',
        });
      } else if (isMap(value) && value.items.length > 0) {
        collect(value.items as readonly Pair<Node, Node | null>[], path);
      } else {
        const read: unknown = value.toJS(document);
        found.entries.push({ path, value: valueIn(renamed?.convert?.(read) ?? read, path), origin });
      }
    }
  }

  function setTwice({ from, to, origin }: OldName): readonly ConfigurationProblem[] {
    const path = to.join('.');
    if (found.entries.filter((entry) => entry.path.join('.') === path).length < 2) return [];
    const message = `is also set by its old name ${from.join('.')}`;
    return [{ path, ...originField(origin), message, hint: 'Remove the old name.' }];
  }

  function valueIn(value: unknown, path: readonly string[]): unknown {
    const setting = settingAt(settings, path);
    if (setting?.kind !== 'value' || !setting.isPath) return value;
    const absolute = (path: unknown) => (typeof path === 'string' && path !== '' ? resolve(dirname(file), path) : path);
    return Array.isArray(value) ? value.map(absolute) : absolute(value);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = systemErrorCode(cause) ?? 'unknown error';
    const message = code === 'ENOENT' ? `the file ${file} does not exist` : `the file ${file} cannot be read (${code})`;
    throw new ConfigurationInvalid([{ path: '', message, hint: 'Set the path of the configuration file with --config.' }]);
  }
}
