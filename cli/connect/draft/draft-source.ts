import { listOf, objectOf, textOf, valueAt } from '../openapi/api-value.ts';
import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { CommandFailed } from '../../command-failed.ts';
import type { DraftedHeader, DraftedSource } from './drafted-subgraph.ts';
import { upperCase, wordsOf } from './graphql-names.ts';
import { type OmissionLog, oneLine } from './omission-log.ts';
import { quoted } from './print-selection.ts';

/** Options of the user that replace values of the document. */
export interface SourceOptions {
  /** @defaultValue a name derived from the title */
  readonly name?: string;
  /** @defaultValue the URL of the first server */
  readonly baseUrl?: string;
}

/**
 * Drafts the `@source`: the URL of the back end, and the credentials that its document requires.
 *
 * @throws CommandFailed if the document has no absolute URL and the user gave none
 */
export function draftSource(document: OpenApiDocument, options: SourceOptions, log: OmissionLog): DraftedSource {
  const name = options.name ?? nameOf(document);
  const baseUrl = baseUrlOf(document, options.baseUrl);
  const credentials = credentialsOf(document, upperCase(name, 'API'), log);
  return {
    name,
    baseUrl,
    headers: [
      ...new Map(credentials.flatMap(({ header }) => (header === undefined ? [] : [[header.name.toLowerCase(), header]]))).values(),
    ],
    comments: credentials.flatMap(({ comments }) => comments),
    ...queryOf(credentials),
  };
}

function nameOf(document: OpenApiDocument): string {
  const title = textOf(valueAt(valueAt(document.root, 'info'), 'title')) ?? '';
  const words = wordsOf(title).filter((word) => !/^(?:api|rest|the|service|v?\d+)$/i.test(word));
  const name = words.join('-').toLowerCase().slice(0, 40).replace(/-+$/, '');
  return /^[a-z]/.test(name) ? name : 'api';
}

function baseUrlOf(document: OpenApiDocument, given: string | undefined): string {
  if (given !== undefined) return given;
  const server = objectOf(listOf(valueAt(document.root, 'servers'))[0]);
  const written = (textOf(valueAt(server, 'url')) ?? '').replaceAll(/\{([^{}]+)\}/g, (match, variable: string) => {
    const fallback = valueAt(valueAt(valueAt(server, 'variables'), variable), 'default');
    return typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : match;
  });
  const url = document.url === undefined ? URL.parse(written) : URL.parse(written === '' ? '/' : written, document.url);
  if (url === null || !/^https?:$/.test(url.protocol) || /[{}]/.test(written)) {
    const found = written === '' ? 'names no server' : `names the server ${JSON.stringify(oneLine(written))}, which is not an absolute URL`;
    throw new CommandFailed(`The OpenAPI document ${found}. Pass the URL of the service with --base-url.`);
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}

/** A credential that requests carry. */
interface Credential {
  readonly header?: DraftedHeader;
  readonly query?: { readonly name: string; readonly value: string };
  readonly comments: readonly string[];
}

function credentialsOf(document: OpenApiDocument, prefix: string, log: OmissionLog): readonly Credential[] {
  const schemes = objectOf(valueAt(valueAt(document.root, 'components'), 'securitySchemes'));
  const [first, ...others] = requirementsOf(document);
  for (const other of others) log.add(`the credentials ${other.join(' and ')}`, 'the source has those of the first security requirement');
  return (first ?? []).flatMap((name) => {
    const scheme = document.resolve(valueAt(schemes, name))?.value;
    const credential = scheme === undefined ? undefined : credentialOf(scheme, prefix);
    if (credential !== undefined) return [credential];
    log.add(`the credentials ${name}`, 'their security scheme is not one that a header can carry');
    return [];
  });
}

/** Lists the security requirements of the document, or of its operations, each as names of schemes. Those without names allow anyone. */
function requirementsOf(document: OpenApiDocument): readonly (readonly string[])[] {
  const paths = Object.values(objectOf(valueAt(document.root, 'paths')));
  const operations = paths.flatMap((item) => Object.values(objectOf(document.resolve(item)?.value)));
  const all = [document.root, ...operations].flatMap((owner) => listOf(valueAt(owner, 'security')));
  const distinct = new Map(all.map((requirement) => [Object.keys(objectOf(requirement)).toSorted().join(' '), requirement]));
  return [...distinct.values()].map((requirement) => Object.keys(objectOf(requirement))).filter((names) => names.length > 0);
}

function credentialOf(scheme: Readonly<Record<string, unknown>>, prefix: string): Credential | undefined {
  const type = textOf(valueAt(scheme, 'type'))?.toLowerCase();
  const name = textOf(valueAt(scheme, 'name')) ?? '';
  const position = textOf(valueAt(scheme, 'in'));
  const method = textOf(valueAt(scheme, 'scheme'))?.toLowerCase();
  if (type === 'oauth2' || type === 'openidconnect' || (type === 'http' && method === 'bearer')) {
    return authorization('Bearer', `${prefix}_TOKEN`, 'a token');
  }
  if (type === 'http' && method === 'basic') return authorization('Basic', `${prefix}_BASIC_CREDENTIALS`, '"user:password" in Base64');
  if (type !== 'apikey') return undefined;
  const variable = `${prefix}_API_KEY`;
  const comments = [`The service requires an API key. Set the environment variable ${variable}.`];
  const isToken = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name);
  if (position === 'header' && isToken) return { header: { name, value: `{$env.${variable}}` }, comments };
  if (position === 'cookie' && isToken) return { header: { name: 'Cookie', value: `${name}={$env.${variable}}` }, comments };
  const isWritable = !/["'\\\p{Cc}]/u.test(name) && name !== '';
  return position === 'query' && isWritable ? { query: { name, value: `$env.${variable}` }, comments } : undefined;
}

function authorization(method: string, variable: string, content: string): Credential {
  return {
    header: { name: 'Authorization', value: `${method} {$env.${variable}}` },
    comments: [
      `The service requires credentials. Set the environment variable ${variable} to ${content}.`,
      'To send the credentials of the client instead: { name: "Authorization", from: "Authorization" }',
    ],
  };
}

function queryOf(credentials: readonly Credential[]): { readonly queryParams?: string } {
  const lines = credentials.flatMap(({ query }) => (query === undefined ? [] : [`${quoted(query.name)}: ${query.value}`]));
  return lines.length === 0 ? {} : { queryParams: lines.join('\n') };
}
