import { join } from 'node:path';
import { compileSettings } from '../../../gateway/config/settings.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { WEBHOOKS_VARIABLES } from '../../webhooks/read-webhooks-configuration.ts';
import { webhooksSchema } from '../../../subgraphs/webhooks/service/webhooks-sections.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED } from './markdown.ts';
import { rowsOf, settingsTable } from './setting-rows.ts';

/** Generates `docs/reference/webhooks-configuration.md` from the schema of the configuration of the webhook service. */
export function generateWebhooksConfigurationPage(root: string = packageRoot): GeneratedFile {
  const settings = compileSettings(webhooksSchema);
  const rows = rowsOf(settings, WEBHOOKS_VARIABLES);
  const sections = [...settings.keys].flatMap(([key, setting]) => (setting.kind === 'section' ? [key] : []));
  const text = [
    INTRODUCTION,
    ...['General', ...sections].map((name) => `- [${name}](#${name.toLowerCase()})`),
    '',
    '## General',
    '',
    settingsTable(rows.top),
    ...sections.flatMap((name) => ['', `## ${name}`, '', settingsTable(rows.below(name))]),
  ];
  return { path: join(root, 'docs/reference/webhooks-configuration.md'), text: `${text.join('\n')}\n` };
}

const INTRODUCTION = `${GENERATED}

# Webhook configuration

All settings of \`gatefold webhooks serve\`. They come from \`webhooks.yaml\` (or from the file that \`--config\`
names), from environment variables and from the command line; a later source takes precedence over an earlier one. The
service reports all mistakes together. Unknown keys and unknown \`GATEFOLD_WEBHOOKS__\` variables are mistakes.

\`\`\`yaml
database:
  url: postgres://webhooks@db.internal/webhooks
gateway:
  url: http://gateway.internal:4001
owners:
  type: User
  query: owner.graphql # relative to this file
\`\`\`

Use a separate database: the service creates the schemas \`kit\` and \`webhooks\`.
`;
