import type { StringValueNode } from 'graphql';

/**
 * Returns a function that converts positions in the value of a string literal to positions in its file. It knows escape sequences, and the
 * indentation that GraphQL removes from block strings (GraphQL, section 2.9.4).
 *
 * @returns undefined for a literal without a location
 */
export function positionsOf(node: StringValueNode): ((offset: number) => number) | undefined {
  const { loc } = node;
  if (loc === undefined) return undefined;
  const quotes = node.block === true ? 3 : 1;
  const raw = loc.source.body.slice(loc.start + quotes, loc.end - quotes);
  const positions = node.block === true ? blockPositions(raw) : quotedPositions(raw);
  const start = loc.start + quotes;
  return (offset) => start + (positions[Math.min(Math.max(offset, 0), positions.length - 1)] ?? 0);
}

/** Lists the position in the text for each code unit of the value, and the end. */
function quotedPositions(raw: string): readonly number[] {
  const positions: number[] = [];
  for (let position = 0; position < raw.length; ) {
    const [escape] = /^\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|.)/.exec(raw.slice(position, position + 12)) ?? [];
    positions.push(position);
    if (escape?.startsWith('\\u{') === true && Number.parseInt(escape.slice(3), 16) > 0xff_ff) positions.push(position);
    position += escape?.length ?? 1;
  }
  return [...positions, raw.length];
}

function blockPositions(raw: string): readonly number[] {
  const lines = splitLines(raw);
  const isBlank = ({ text }: Line): boolean => /^[\t ]*$/.test(text);
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  if (first === -1) return [0];
  const indents = lines.filter((line, index) => index > 0 && !isBlank(line)).map(({ text }) => text.search(/[^\t ]/));
  const common = indents.length === 0 ? 0 : Math.min(...indents);

  const positions: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (index < first || index > last) continue;
    const removed = index === 0 ? 0 : Math.min(common, line.text.length);
    for (let column = removed; column < line.text.length; ) {
      const isEscape = line.text.startsWith('\\"""', column);
      const start = line.start + column;
      positions.push(...(isEscape ? [start + 1, start + 2, start + 3] : [start]));
      column += isEscape ? 4 : 1;
    }
    positions.push(line.start + line.text.length);
  }
  return positions;
}

interface Line {
  readonly text: string;
  /** Position of the line in the text. */
  readonly start: number;
}

function splitLines(raw: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: lineBreak, index } of raw.matchAll(/\r\n|[\n\r]/g)) {
    lines.push({ text: raw.slice(start, index), start });
    start = index + lineBreak.length;
  }
  return [...lines, { text: raw.slice(start), start }];
}
