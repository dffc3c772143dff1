import { compileSelection } from '../selection/compile-selection.ts';
import type { SelectionProblem, MappingVariables } from '../selection/compiled-mapping.ts';
import { compileTemplate, NO_INPUT, scalarText } from './compile-template.ts';
import { ConnectorRequestInvalid } from './connector-request-invalid.ts';
import { hasControlCharacters } from './header-names.ts';
import type { ComputedHeader, CopiedHeader, HeaderRule } from './header-rule.ts';

/** Headers of the client, by lower-case names. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers of one request of a connector, by lower-case names, in the byte encoding that Node.js writes. */
export type ConnectorHeaders = Record<string, string | readonly string[]>;

/** Builds the headers of one request. Problems of mappings are appended. */
export type BuildHeaders = (variables: MappingVariables, client: ClientHeaders, problems?: SelectionProblem[]) => ConnectorHeaders;

type AddHeader = (to: ConnectorHeaders, variables: MappingVariables, client: ClientHeaders, problems?: SelectionProblem[]) => void;

/**
 * Compiles the headers of a connector. A header of the connector replaces that of its source with the same name, even if it has no value in
 * a request.
 *
 * @param source headers of the `@source`; empty without one
 * @param connector headers of the `@connect`
 * @returns a function that throws ConnectorRequestInvalid if a value contains control characters, or is an object or a list
 */
export function compileConnectorHeaders(source: readonly HeaderRule[], connector: readonly HeaderRule[]): BuildHeaders {
  const rules = new Map([...source, ...connector].map((rule) => [rule.name, rule]));
  const adders = [...rules.values()].map((rule) => ('from' in rule ? compileCopied(rule) : compileComputed(rule)));
  return (variables, client, problems) => {
    const headers = Object.create(null) as ConnectorHeaders;
    for (const add of adders) add(headers, variables, client, problems);
    return headers;
  };
}

function compileCopied({ name, from }: CopiedHeader): AddHeader {
  return (to, _variables, client) => {
    const value = Object.hasOwn(client, from) ? client[from] : undefined;
    if (value === undefined) return;
    for (const one of typeof value === 'string' ? [value] : value) refuseControlCharacters(name, one);
    to[name] = value;
  };
}

/** A header whose whole value is one expression is omitted if the expression has no value. */
function compileComputed({ name, value }: ComputedHeader): AddHeader {
  const position = `the header "${name}"`;
  const [only, ...more] = value.parts;
  const add = (to: ConnectorHeaders, text: string): void => {
    refuseControlCharacters(name, text);
    to[name] = asBytes(text.trim());
  };
  if (only?.kind === 'expression' && more.length === 0) {
    const mapping = compileSelection(only.expression);
    return (to, variables, _client, problems) => {
      const result = mapping(NO_INPUT, variables, problems);
      if (result !== undefined && result !== null) add(to, scalarText(result, position));
    };
  }
  const build = compileTemplate(value, position);
  return (to, variables, _client, problems) => add(to, build(variables, problems));
}

function refuseControlCharacters(name: string, value: string): void {
  if (hasControlCharacters(value)) throw new ConnectorRequestInvalid(`The value of the header "${name}" contains control characters.`);
}

/** Encodes other than visible ASCII characters as UTF-8. Node.js writes each character of a header as one byte. */
function asBytes(value: string): string {
  return /^[\t\x20-\x7E]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}
