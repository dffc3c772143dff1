import { relative } from 'node:path';
import { generateResolverTypes, writeGenerated } from './generate-resolver-types.ts';

const written = await writeGenerated(await generateResolverTypes());
console.log(
  written.length === 0 ? 'Everything generated is up to date.' : `Wrote ${written.map((path) => relative('.', path)).join(', ')}.`,
);
