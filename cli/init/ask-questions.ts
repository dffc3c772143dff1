import type { Dialog } from '../terminal.ts';
import { type InitSubgraph, InvalidSubgraph, parseInitSubgraph } from './init-subgraph.ts';
import { isPackageName, PACKAGE_NAME_RULE } from './package-name.ts';

/** Values that the command line already contains. Only the others are asked for. */
export interface KnownAnswers {
  readonly name: string | undefined;
  readonly subgraphs: readonly InitSubgraph[] | undefined;
  readonly hasRest: boolean | undefined;
  readonly issuer: string | undefined;
}

/** Answers to all questions. */
export interface Answers {
  readonly name: string;
  readonly subgraphs: readonly InitSubgraph[];
  readonly hasRest: boolean;
  readonly issuer: string | undefined;
}

/** Asks the questions whose answers are not known. An invalid answer is explained, and the question is repeated. */
export async function askQuestions(dialog: Dialog, known: KnownAnswers, defaultName: string): Promise<Answers> {
  const readName = (answer: string): Reading<string> => {
    const name = answer === '' ? defaultName : answer;
    return isPackageName(name) ? { value: name } : { problem: PACKAGE_NAME_RULE };
  };
  const name = known.name ?? (await askUntilValid(dialog, `Name of the project (${defaultName}): `, readName));
  const subgraphs = known.subgraphs ?? (await askUntilValid(dialog, SUBGRAPHS, readSubgraphs));
  const hasRest = known.hasRest ?? (await askUntilValid(dialog, 'Write REST documents? (Y/n): ', readYesNo));
  const issuer = known.issuer ?? (await askUntilValid(dialog, 'URL of the issuer of tokens (none): ', readIssuer));
  return { name, subgraphs, hasRest, issuer: issuer === '' ? undefined : issuer };
}

const SUBGRAPHS = 'Subgraphs as name=URL, name=FILE or name=FILE@URL, separated by spaces (an example): ';

/** Result of reading an answer: the value, or what is wrong with it. */
type Reading<Value> = { readonly value: Value } | { readonly problem: string };

async function askUntilValid<Value>(dialog: Dialog, question: string, read: (answer: string) => Reading<Value>): Promise<Value> {
  let text = question;
  for (;;) {
    const reading = read((await dialog.question(text)).trim());
    if ('value' in reading) return reading.value;
    text = `${reading.problem}\n${question}`;
  }
}

function readSubgraphs(answer: string): Reading<readonly InitSubgraph[]> {
  try {
    const value = answer.split(/\s+/).filter(Boolean).map(parseInitSubgraph);
    if (new Set(value.map(({ name }) => name)).size === value.length) return { value };
    return { problem: 'Two subgraphs have the same name.' };
  } catch (error) {
    if (error instanceof InvalidSubgraph) return { problem: error.message };
    throw error;
  }
}

function readYesNo(answer: string): Reading<boolean> {
  if (/^(?:y(?:es)?)?$/i.test(answer)) return { value: true };
  return /^no?$/i.test(answer) ? { value: false } : { problem: 'Type y or n.' };
}

function readIssuer(answer: string): Reading<string> {
  const isValid = answer === '' || (/^https?:\/\//.test(answer) && URL.canParse(answer));
  return isValid ? { value: answer } : { problem: 'Type an absolute URL, such as https://id.example.com/, or nothing.' };
}
