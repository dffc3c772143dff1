/** JSON of a file of credentials. @throws Error without any of the text: what Node says would quote it in the log */
export function parseCredentialJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
}
