import { relative } from 'node:path';
import { generateArchitectureDrawing } from './architecture-drawing.ts';
import { generateConfigurationPage } from './configuration-page.ts';
import { generateDescriptions } from './generate-descriptions.ts';
import { generateResolverTypes } from './generate-resolver-types.ts';
import { writeGenerated } from './generated-file.ts';

const written = await writeGenerated([
  ...(await generateResolverTypes()),
  generateConfigurationPage(),
  generateArchitectureDrawing(),
  ...generateDescriptions(),
]);
console.log(
  written.length === 0 ? 'Everything generated is up to date.' : `Wrote ${written.map((path) => relative('.', path)).join(', ')}.`,
);
