import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** A service of docker-compose.yml, in the form of a plain process. */
export interface ComposeService {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Command of the health check of its container. */
  readonly healthcheck: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: unknown;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly healthcheck: { readonly test: readonly string[] };
      }
    >
  >;
}

/**
 * Reads the services that are built from this repository. Replaces `${…}` from `variables` like compose does.
 *
 * @throws Error with the message of the file when a required variable is missing
 */
export function readOwnServices(variables: Readonly<Record<string, string>>): ReadonlyMap<string, ComposeService> {
  const { services } = parse(readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8')) as ComposeFile;
  return new Map(
    Object.entries(services)
      .filter(([, service]) => service.build !== undefined)
      .map(([name, { command = [], environment = {}, healthcheck }]) => [
        name,
        {
          command,
          environment: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, interpolate(value, variables)])),
          healthcheck: healthcheck.test.slice(1),
        },
      ]),
  );
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. An empty value counts as missing. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind: string | undefined, rest: string | undefined) => {
    const value = variables[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(rest);
    return rest ?? '';
  });
}
