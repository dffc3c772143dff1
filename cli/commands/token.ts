import { Command, InvalidArgumentError, Option } from 'commander';
import { JSON_OPTION, printJson } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';
import { readList } from './read-list.ts';

interface TokenOptions {
  readonly sub: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  readonly ttl: number;
  readonly json?: boolean;
}

/** `gatefold token`: signs a bearer token for development. */
export function tokenCommand(terminal: Terminal): Command {
  return new Command('token')
    .description('Sign a bearer token that the dev profile trusts, with the key in .gatefold/development.key.')
    .requiredOption('--sub <id>', 'id of the user in the token', readText)
    .addOption(new Option('--roles <names>', 'comma-separated roles, such as ADMIN').argParser(readList).default([], 'none'))
    .addOption(new Option('--scopes <names>', 'comma-separated scopes').argParser(readList).default([], 'none'))
    .addOption(new Option('--ttl <duration>', 'lifetime: 90s, 30m, 1h, 7d').argParser(readDurationSeconds).default(3_600, '1h'))
    .option(...JSON_OPTION)
    .action(async ({ sub, roles, scopes, ttl, json = false }: TokenOptions) => {
      const [{ developmentKey }, { signDevelopmentToken }] = await Promise.all([
        import('../development-key.ts'),
        import('../../gateway/auth/sign-development-token.ts'),
      ]);
      const configured = terminal.env['GATEFOLD_AUTH__DEVELOPMENT_KEY'] ?? '';
      const key = configured === '' ? await developmentKey() : configured; // An empty value counts as not set.
      const token = await signDevelopmentToken(key, { subject: sub, roles, scopes, ttlSeconds: ttl });
      if (json) printJson(terminal, { token, subject: sub, roles, scopes, ttlSeconds: ttl });
      else terminal.print(token);
    });
}

function readText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('The value must not be empty.');
  return text;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses a duration from 1 second to 365 days. @unit seconds */
function readDurationSeconds(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN);
  if (seconds >= 1 && seconds <= 365 * 86_400) return seconds;
  throw new InvalidArgumentError('Use a number and a unit, at most 365d. Examples: 90s, 30m, 1h, 7d.');
}
