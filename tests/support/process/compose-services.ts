import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { instructionsOf, readDockerfile } from './dockerfile.ts';

/** A service of docker-compose.yml, in the form of a plain process. */
export interface ComposeService {
  readonly name: string;
  /** Whether its image is built from this repository. */
  readonly isBuilt: boolean;
  readonly image: string | undefined;
  readonly command: readonly string[];
  /** Variables of its image, if it is built, and of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Command of the health check of its container. */
  readonly healthcheck: readonly string[];
  /** Names of the secrets that are mounted. */
  readonly secrets: readonly string[];
  readonly profiles: readonly string[];
}

interface WrittenService {
  readonly image?: string;
  readonly build?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, WrittenService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** Reads docker-compose.yml without interpolation. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;
}

/**
 * Reads the services of docker-compose.yml. Replaces `${…}` from `variables` and `$$` like compose does.
 *
 * @throws Error with the message of the file when a required variable is missing
 */
export function readComposeServices(variables: Readonly<Record<string, string>>): ReadonlyMap<string, ComposeService> {
  const replace = (text: string) => interpolate(text, variables);
  return new Map(
    Object.entries(readComposeFile().services).map(([name, service]) => {
      const isBuilt = service.build !== undefined;
      const { image, command = [], environment = {}, healthcheck, secrets = [], profiles = [] } = service;
      const own = Object.entries(environment).map(([key, value]) => [key, replace(value)]);
      const [kind, ...test] = healthcheck?.test ?? [];
      return [
        name,
        {
          name,
          isBuilt,
          image,
          command: command.map(replace),
          environment: { ...(isBuilt ? imageEnvironment() : {}), ...Object.fromEntries(own) },
          healthcheck: [...(kind === 'CMD-SHELL' ? ['sh', '-c'] : []), ...test.map(replace)],
          secrets,
          profiles,
        },
      ];
    }),
  );
}

/** Reads the variables that the Dockerfile sets. */
function imageEnvironment(): Readonly<Record<string, string>> {
  const texts = instructionsOf(readDockerfile().at(-1), 'ENV');
  const variables = texts.flatMap((text) => Array.from(text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)));
  return Object.fromEntries(variables.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

/** Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$`. An empty value counts as missing. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole, name: string, kind: string | undefined, rest: string | undefined) => {
      if (whole === '$$') return '$';
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(rest);
      return rest ?? '';
    },
  );
}
