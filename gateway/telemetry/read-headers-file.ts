import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from '../config/configuration-invalid.ts';

const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads headers for a collector: one `name: value` in each line. Empty lines and lines that begin with `#` are ignored.
 *
 * @throws ConfigurationInvalid when the file cannot be read or a line is no header
 */
export function readHeadersFile(path: string | undefined): Record<string, string> {
  if (path === undefined) return {};
  const headers: Record<string, string> = {};
  for (const [index, line] of readText(path).split('\n').entries()) {
    const text = line.trimEnd();
    if (text === '' || text.startsWith('#')) continue;
    const [, name, value] = LINE.exec(text) ?? [];
    if (name === undefined || value === undefined) throw invalid(`line ${index + 1} of ${path} must have the form "name: value"`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw invalid(`the file ${path} cannot be read`);
  }
}

function invalid(message: string): ConfigurationInvalid {
  return new ConfigurationInvalid([{ path: 'telemetry.*.headersFile', message }]);
}
