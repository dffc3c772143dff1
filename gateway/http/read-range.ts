/** One element of an `Accept` header. */
export interface MediaRange {
  readonly type: string;
  /** Without the quotes around their values. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** @param range in lower case (RFC 9110, section 12.5.1) */
export function readRange(range: string): MediaRange {
  const [type = '', ...rest] = range.split(';').map((element) => element.trim());
  return { type, parameters: new Map(rest.map(readParameter)) };
}

function readParameter(parameter: string): readonly [string, string] {
  const [name = '', value = ''] = parameter.split('=').map((element) => element.trim());
  return [name, /^"(.*)"$/.exec(value)?.[1] ?? value];
}
