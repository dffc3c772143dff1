// Ends of elements in a text of SDL, found by their characters. This takes a fraction of the time of reading their tokens.

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const BANG = 33;
const QUOTE = 34;
const HASH = 35;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const COMMA = 44;
const AT = 64;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;

/** Returns the end of a reference to a type without white space. Undefined if it may continue after white space. */
export function endOfType(text: string, start: number): number | undefined {
  let end = start;
  for (let code = text.charCodeAt(end); isNamePart(code) || code === OPEN_BRACKET; code = text.charCodeAt(end)) end += 1;
  for (let code = text.charCodeAt(end); code === BANG || code === CLOSE_BRACKET; code = text.charCodeAt(end)) end += 1;
  const next = text.charCodeAt(afterIgnored(text, end));
  return next === BANG || next === CLOSE_BRACKET || next === HASH ? undefined : end;
}

/** Returns the end of a list of directives with constant arguments. Undefined if it contains a comment or is not valid. */
export function endOfDirectives(text: string, start: number): number | undefined {
  let end = start;
  for (let next = start; text.charCodeAt(next) === AT; next = afterIgnored(text, end)) {
    const name = next + 1;
    end = name;
    while (isNamePart(text.charCodeAt(end))) end += 1;
    if (end === name) return undefined;
    const after = afterIgnored(text, end);
    const code = text.charCodeAt(after);
    if (code === HASH) return undefined;
    if (code !== OPEN_PARENTHESIS) continue;
    const closed = endOfArguments(text, after);
    if (closed === undefined || text.charCodeAt(afterIgnored(text, closed)) === HASH) return undefined;
    end = closed;
  }
  return end;
}

/** Returns the position after the parenthesis that closes the arguments. */
function endOfArguments(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === CLOSE_PARENTHESIS) return index + 1;
    if (code === HASH || code === OPEN_PARENTHESIS) return undefined;
    if (code === QUOTE) index = endOfString(text, index);
  }
  return undefined;
}

function afterIgnored(text: string, start: number): number {
  let index = start;
  while (isIgnored(text.charCodeAt(index))) index += 1;
  return index;
}

/** Whether the lexer ignores a character between tokens (GraphQL specification, section 2.1.7). */
function isIgnored(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === COMMA || code === RETURN || code === TAB || code === BYTE_ORDER_MARK;
}

const BYTE_ORDER_MARK = 0xfe_ff;

function isNamePart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === UNDERSCORE;
}

const UNDERSCORE = 95;

export function endOfLine(text: string, start: number): number {
  let index = start;
  while (index < text.length && text.charCodeAt(index) !== NEWLINE && text.charCodeAt(index) !== RETURN) index += 1;
  return index;
}

/** @returns index of the last quote of the string that begins at `start`; the length of the text if the string does not end */
export function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    for (let end = text.indexOf('"""', start + 3); end !== -1; end = text.indexOf('"""', end + 3)) {
      if (text.charCodeAt(end - 1) !== BACKSLASH) return end + 2;
    }
    return text.length;
  }
  for (let index = start + 1; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === BACKSLASH) index += 1;
    else if (char === QUOTE || char === NEWLINE || char === RETURN) return index;
  }
  return text.length;
}
