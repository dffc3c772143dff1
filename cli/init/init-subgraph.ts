/** A subgraph of a new project. */
export interface InitSubgraph {
  readonly name: string;
  readonly url: string | undefined;
  /** SDL files, relative to the working directory. Undefined if the SDL is fetched from `url`. */
  readonly files: readonly string[] | undefined;
}

/** Error for a text that names no subgraph. */
export class InvalidSubgraph extends Error {}

const FORM =
  'Use name=URL, name=FILE or name=FILE@URL, such as films=http://localhost:5010/graphql or reviews=./reviews.graphql@http://localhost:5011.';

/** Names that are valid in a supergraph and in environment variables. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Parses `films=http://localhost:5010`, `films=a.graphql,b.graphql` and `films=a.graphql@http://localhost:5010`. @throws InvalidSubgraph */
export function parseInitSubgraph(text: string): InitSubgraph {
  const [, name = '', source = ''] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  if (name === '') throw new InvalidSubgraph(FORM);
  if (!NAME.test(name)) throw new InvalidSubgraph(`The name "${name}" must begin with a letter and contain only letters, digits, - and _.`);
  if (/^https?:\/\//.test(source)) return { name, url: checkUrl(source), files: undefined };
  const [, files = source, url] = /^(.*?)@(https?:\/\/.*)$/.exec(source) ?? [];
  const paths = files.split(',').map((path) => path.trim());
  if (paths.includes('')) throw new InvalidSubgraph(FORM);
  return { name, files: paths, url: url === undefined ? undefined : checkUrl(url) };
}

function checkUrl(url: string): string {
  if (URL.canParse(url)) return url;
  throw new InvalidSubgraph(`${url} is not a valid URL. ${FORM}`);
}
