import { join } from 'node:path';
import { GATEWAY_VARIABLES } from '../../../gateway/config/environment-names.ts';
import { RENAMED_SETTINGS } from '../../../gateway/config/renamed-settings.ts';
import { compileSettings } from '../../../gateway/config/settings.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { productSchema } from '../../configuration.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED, table } from './markdown.ts';
import { rowsOf, settingsTable } from './setting-rows.ts';

/** Generates `docs/reference/configuration.md` from the schema of the configuration. */
export function generateConfigurationPage(root: string = packageRoot): GeneratedFile {
  const settings = compileSettings(productSchema);
  const rows = rowsOf(settings, GATEWAY_VARIABLES);
  const sections = [...settings.keys].flatMap(([key, setting]) => (setting.kind === 'section' ? [key] : []));
  const text = [
    INTRODUCTION,
    ...['Sources', 'Environment variables', 'Renamed settings', 'profile', ...sections].map(
      (name) => `- [${name}](#${name.toLowerCase().replaceAll(' ', '-')})`,
    ),
    '',
    SOURCES,
    '',
    ENVIRONMENT,
    '',
    RENAMED,
    '',
    '## profile',
    '',
    settingsTable(rows.top),
    ...sections.flatMap((name) => ['', `## ${name}`, '', settingsTable(rows.below(name))]),
  ];
  return { path: join(root, 'docs/reference/configuration.md'), text: `${text.join('\n')}\n` };
}

const INTRODUCTION = `${GENERATED}

# Configuration

All settings, with their meaning, unit, default and environment variable. Every setting is optional.
`;

const SOURCES = `## Sources

Settings come from \`gatefold.yaml\` (or from the file that \`--config\` names), from environment variables and from
the command line; a later source takes precedence over an earlier one. The gateway reports all mistakes together, each
with its location, the expected value and a suggestion. Unknown keys and unknown \`GATEFOLD_\` variables are mistakes.

\`\`\`yaml config
server:
  port: 4000
supergraph:
  file: supergraph.graphql # relative to this file
\`\`\`

The REST facade is served if any source sets a key of the section \`rest\`.`;

const ENVIRONMENT = `## Environment variables

The name of a variable is \`GATEFOLD_\`, the section, \`__\` and the key in capital letters:
\`GATEFOLD_SERVER__MAX_BODY_BYTES\` sets \`server.maxBodyBytes\`. Lists are written as JSON. An empty variable counts as
not set.

The variable of a secret with the suffix \`_FILE\` names a file with the value: \`REDIS_URL_FILE=/run/secrets/redis_url\`.
The gateway reads it once, at the start. Line breaks at the end of the file are ignored.

Some settings have a special name:

${table(
  ['variable', 'setting'],
  [
    ...[...GATEWAY_VARIABLES.special].map(([name, path]) => [`\`${name}\``, `\`${path.join('.')}\``]),
    ['`SUBGRAPH_<NAME>_URL`', '`subgraphs.override.<name>.url`, with any separators in the name'],
  ],
)}`;

const RENAMED = `## Renamed settings

The gateway still reads the old name of a setting in version 0.2, and logs a warning that names the new one.

${table(
  ['old name', 'new name'],
  RENAMED_SETTINGS.map(({ from, to }) => [`\`${from.join('.')}\``, `\`${to.join('.')}\``]),
)}`;
