import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A source file of the product. */
export interface Source {
  /** Path in the checkout. */
  readonly path: string;
  readonly lines: number;
  readonly text: string;
  /** Paths of the files that it imports. */
  readonly imports: readonly string[];
  /** Names that it declares and exports. */
  readonly exports: readonly string[];
}

const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)';|^import '(\.[^']+)';/gms;
const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(?:function|class|const|let|interface|type|enum) (\w+)/gm;

/** Reads the TypeScript files below some folders of a checkout, in the order of their paths. */
export function readSources(checkout: string, folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) => pathsBelow(checkout, folder)).map((path) => readSource(checkout, path));
}

function readSource(checkout: string, path: string): Source {
  const text = readFileSync(join(checkout, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, from, bare]) => posix.join(posix.dirname(path), from ?? bare ?? ''));
  return {
    path,
    lines: text.split('\n').length - 1,
    text,
    imports,
    exports: [...new Set([...text.matchAll(EXPORT)].map(([, name = '']) => name))],
  };
}

function pathsBelow(checkout: string, folder: string): readonly string[] {
  return readdirSync(join(checkout, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pathsBelow(checkout, path);
      return entry.name.endsWith('.ts') ? [path] : [];
    })
    .toSorted();
}
