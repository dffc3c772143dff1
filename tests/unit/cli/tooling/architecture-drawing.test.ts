import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { generateArchitectureDrawing } from '../../../../cli/tooling/architecture-drawing.ts';

describe('the drawing of the layers', () => {
  it('given the import rules, when drawn, then ARCHITECTURE.md has this drawing (else: npm run generate)', async () => {
    const { path, text } = generateArchitectureDrawing();
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
