import { textOf } from './serialised-data.ts';

/**
 * For the option `stringifyResult` of Apollo Server: writes the answer with the data as the engine has written it. Where
 * there is no such text, because a plugin has looked at the data or replaced it, all is serialised as Apollo Server does by
 * itself. Both end with a line break, as there.
 */
export function stringifyResult(result: { readonly data?: unknown }): string {
  const text = textOf(result.data);
  if (text === undefined) return `${JSON.stringify(result)}\n`;
  const members = Object.entries(result).flatMap(([key, value]) => {
    const written = key === 'data' ? text : (JSON.stringify(value) as string | undefined);
    return written === undefined ? [] : [`${JSON.stringify(key)}:${written}`];
  });
  return `{${members.join(',')}}\n`;
}
