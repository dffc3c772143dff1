import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import type { GeneratedFile } from './generated-file.ts';
import { drawLayers } from './layers.js';

/** Begins and ends the drawing in ARCHITECTURE.md. */
const [BEGIN, END] = ['<!-- Generated from cli/tooling/layers.js by `npm run generate`. -->\n', '<!-- End of the generated drawing. -->'];

/** Makes ARCHITECTURE.md with the drawing of the layers as the import rules have them. @throws Error where the page has no place for it */
export function generateArchitectureDrawing(): GeneratedFile {
  const path = join(packageRoot, 'ARCHITECTURE.md');
  const page = readFileSync(path, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${path} has no place for the drawing: the comments around it are missing.`);
  return { path, text: `${page.slice(0, begin + BEGIN.length)}\n\`\`\`text\n${drawLayers()}\n\`\`\`\n\n${page.slice(end)}` };
}
