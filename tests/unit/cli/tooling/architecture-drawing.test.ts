import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { generateArchitectureDrawing } from '../../../../cli/tooling/architecture-drawing.ts';

describe('the drawing of the layers', () => {
  it('in ARCHITECTURE.md is up to date (else: npm run generate)', async () => {
    const { path, text } = generateArchitectureDrawing();
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
