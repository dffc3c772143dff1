import { InvalidArgumentError } from 'commander';

/** Subgraph that a user names on the command line. */
export interface SubgraphArgument {
  readonly name: string;
  readonly url?: string | undefined;
  /** SDL files, relative to the working directory. Absent if the SDL is fetched from `url`. */
  readonly files?: readonly string[] | undefined;
}

const FORM =
  'Use name=URL, name=FILE, name=FILE,FILE or name=FILE@URL, such as films=http://localhost:5010 or reviews=./reviews.graphql@http://localhost:5011.';

/** Names that are valid in a supergraph and in environment variables. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Parses `films=http://localhost:5010`, `films=a.graphql,b.graphql` and `films=a.graphql@http://localhost:5010`.
 *
 * @throws InvalidArgumentError
 */
export function parseSubgraphArgument(text: string): SubgraphArgument {
  const [, name = '', source = ''] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  if (name === '') throw new InvalidArgumentError(FORM);
  if (!NAME.test(name)) {
    throw new InvalidArgumentError(`The name "${name}" must begin with a letter and contain only letters, digits, - and _.`);
  }
  if (/^https?:\/\//.test(source)) return { name, url: checkUrl(source) };
  const [, files = source, url] = /^(.*?)@(https?:\/\/.*)$/.exec(source) ?? [];
  const paths = files.split(',').map((path) => path.trim());
  if (paths.includes('')) throw new InvalidArgumentError(FORM);
  return { name, files: paths, ...(url === undefined ? {} : { url: checkUrl(url) }) };
}

/** Parses one more value of a repeatable option. @throws InvalidArgumentError for a name that is used twice */
export function addSubgraphArgument(text: string, previous: readonly SubgraphArgument[] = []): readonly SubgraphArgument[] {
  const subgraph = parseSubgraphArgument(text);
  if (previous.some(({ name }) => name === subgraph.name)) throw new InvalidArgumentError(`The subgraph ${subgraph.name} is named twice.`);
  return [...previous, subgraph];
}

function checkUrl(url: string): string {
  if (URL.canParse(url)) return url;
  throw new InvalidArgumentError(`${url} is not a valid URL. ${FORM}`);
}
