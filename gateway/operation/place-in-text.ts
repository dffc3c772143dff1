import type { SourceLocation } from 'graphql';

/** Line and column of a place in a text, both from 1, as graphql-js counts them. Makes nothing for the lines before it. */
export function placeInText(text: string, offset: number): SourceLocation {
  let [line, lineStart] = [1, 0];
  for (let position = 0; position < offset; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(position + 1) === LINE_FEED) position += 1;
    line += 1;
    lineStart = position + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
