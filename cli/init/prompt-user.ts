import { InvalidArgumentError } from 'commander';
import type { Dialog } from '../terminal.ts';
import { addSubgraphArgument, type SubgraphArgument } from '../subgraph-argument.ts';
import { isPackageName, PACKAGE_NAME_RULE } from './package-name.ts';

/** Values from the options of the command. The user is prompted only for the others. */
export interface GivenChoices {
  readonly name: string | undefined;
  readonly subgraphs: readonly SubgraphArgument[] | undefined;
  readonly hasRest: boolean | undefined;
  readonly issuer: string | undefined;
}

/** Choices for a new project. */
export interface ProjectChoices {
  readonly name: string;
  readonly subgraphs: readonly SubgraphArgument[];
  readonly hasRest: boolean;
  readonly issuer: string | undefined;
}

/** Prompts for the choices that are not given. After an invalid line, the problem and the same prompt are printed. */
export async function promptUser(dialog: Dialog, given: GivenChoices, defaultName: string): Promise<ProjectChoices> {
  const readName = (line: string): Reading<string> => {
    const name = line === '' ? defaultName : line;
    return isPackageName(name) ? { value: name } : { problem: PACKAGE_NAME_RULE };
  };
  const name = given.name ?? (await promptUntilValid(dialog, `Name of the project (${defaultName}): `, readName));
  const subgraphs = given.subgraphs ?? (await promptUntilValid(dialog, SUBGRAPHS, readSubgraphs));
  const hasRest = given.hasRest ?? (await promptUntilValid(dialog, 'Write REST documents? (Y/n): ', readYesNo));
  const issuer = given.issuer ?? (await promptUntilValid(dialog, 'URL of the issuer of tokens (none): ', readIssuer));
  return { name, subgraphs, hasRest, issuer: issuer === '' ? undefined : issuer };
}

const SUBGRAPHS = 'Subgraphs as name=URL, name=FILE or name=FILE@URL, separated by spaces (an example): ';

/** Result of reading a line: the value, or the problem of the line. */
type Reading<Value> = { readonly value: Value } | { readonly problem: string };

async function promptUntilValid<Value>(dialog: Dialog, prompt: string, read: (line: string) => Reading<Value>): Promise<Value> {
  let text = prompt;
  for (;;) {
    const reading = read((await dialog.prompt(text)).trim());
    if ('value' in reading) return reading.value;
    text = `${reading.problem}\n${prompt}`;
  }
}

function readSubgraphs(line: string): Reading<readonly SubgraphArgument[]> {
  try {
    const words = line.split(/\s+/).filter(Boolean);
    return { value: words.reduce<readonly SubgraphArgument[]>((previous, word) => addSubgraphArgument(word, previous), []) };
  } catch (error) {
    if (error instanceof InvalidArgumentError) return { problem: error.message };
    throw error;
  }
}

function readYesNo(line: string): Reading<boolean> {
  if (/^(?:y(?:es)?)?$/i.test(line)) return { value: true };
  return /^no?$/i.test(line) ? { value: false } : { problem: 'Type y or n.' };
}

function readIssuer(line: string): Reading<string> {
  const isValid = line === '' || (/^https?:\/\//.test(line) && URL.canParse(line));
  return isValid ? { value: line } : { problem: 'Type an absolute URL, such as https://id.example.com/, or nothing.' };
}
