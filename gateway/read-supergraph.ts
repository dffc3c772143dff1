import { readFile } from 'node:fs/promises';
import { ConfigurationInvalid } from './config/configuration-invalid.ts';
import type { GatewayConfig } from './config/sections.ts';
import { SupergraphInvalid } from './supergraph/errors.ts';

/** Where the supergraph comes from: a file, or the text itself. */
type SupergraphSection = GatewayConfig['supergraph'];

/** @throws ConfigurationInvalid unless exactly one source is named */
export function requireOneSource({ file, sdl }: SupergraphSection): void {
  if ((file === undefined) !== (sdl === undefined)) return;
  const message = file === undefined ? 'there is no supergraph to serve' : 'a supergraph is given twice, as a file and as text';
  const hint = 'Set either supergraph.file, to what "gatefold compose" wrote, or supergraph.sdl.';
  throw new ConfigurationInvalid([{ path: 'supergraph', message, hint }]);
}

/** The SDL to serve. @throws SupergraphInvalid when the file cannot be read */
export async function readSupergraph({ file, sdl }: SupergraphSection): Promise<string> {
  if (sdl !== undefined) return sdl;
  try {
    return await readFile(file ?? '', 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file; "gatefold compose" writes one' : `the system says ${code ?? String(cause)}`;
    throw new SupergraphInvalid(`The supergraph file ${file} cannot be read: ${reason}.`, { cause });
  }
}
