import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import type { GeneratedFile } from './generated-file.ts';
import { drawLayers } from './layers.js';

/** Comments around the drawing in ARCHITECTURE.md. */
const [BEGIN, END] = ['<!-- Generated from cli/tooling/layers.js by `npm run generate`. -->\n', '<!-- End of the generated drawing. -->'];

/**
 * Returns ARCHITECTURE.md with the drawing of the layers from the import rules. @throws Error if the page does not have the comments around
 * it
 */
export function generateArchitectureDrawing(): GeneratedFile {
  const path = join(packageRoot, 'ARCHITECTURE.md');
  const page = readFileSync(path, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${path} does not contain the two comments that enclose the drawing.`);
  return { path, text: `${page.slice(0, begin + BEGIN.length)}\n\`\`\`text drawing\n${drawLayers()}\n\`\`\`\n\n${page.slice(end)}` };
}
