import { relative } from 'node:path';
import { generateArchitectureDrawing } from './architecture-drawing.ts';
import { generateDescriptions } from './generate-descriptions.ts';
import { generateResolverTypes } from './generate-resolver-types.ts';
import { writeGenerated } from './generated-file.ts';
import { generateCliPage } from './reference/cli-page.ts';
import { generateConfigurationPage } from './reference/configuration-page.ts';
import { generateErrorCodesPage } from './reference/error-codes-page.ts';
import { generatePackageExportsPage } from './reference/package-exports-page.ts';
import { generateRestDirectivesPage } from './reference/rest-directives-page.ts';
import { generateTelemetryPage } from './reference/telemetry-page.ts';
import { generateWebhooksConfigurationPage } from './reference/webhooks-configuration-page.ts';

const written = await writeGenerated([
  ...(await generateResolverTypes()),
  generateConfigurationPage(),
  generateWebhooksConfigurationPage(),
  generateCliPage(),
  generateErrorCodesPage(),
  generateRestDirectivesPage(),
  generateTelemetryPage(),
  generatePackageExportsPage(),
  generateArchitectureDrawing(),
  ...generateDescriptions(),
]);
console.log(
  written.length === 0 ? 'All generated files are up to date.' : `Wrote ${written.map((path) => relative('.', path)).join(', ')}.`,
);
