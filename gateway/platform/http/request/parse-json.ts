import secureJson from 'secure-json-parse';
import { endOfJsonString, JsonText } from '../../json-source.ts';
import { type ForbiddenKeys, NestedTooDeeply, parseInSlices } from '../../parse-in-slices.ts';
import { GatewayError } from '../../errors.ts';
import { inSteps, runInTurn } from '../../run-in-turn.ts';
import { type JsonError, locateJsonError, locateJsonErrorInSteps } from './locate-json-error.ts';

export interface ParseJsonOptions {
  /** Maximum nesting of arrays and objects. Later code may process the value recursively up to this depth. @defaultValue 64 */
  readonly maxDepth?: number;
  /** Name of the text at the beginning of messages, as the client knows it. @defaultValue 'The body' */
  readonly subject?: string;
}

/**
 * Parses JSON text of a client to a safe value. The value contains no `__proto__` key and no `constructor.prototype`, regardless of
 * escapes, and its nesting is limited.
 *
 * @throws GatewayError `BAD_REQUEST` with reason and position
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  if (isNestedDeeperThan(maxDepth, text)) throw nestedTooDeeply(options);
  try {
    return isSuspicious(text) ? secureJson.parse(text, FORBIDDEN) : JSON.parse(text);
  } catch (cause) {
    throw malformed(locateJsonError(text), cause, options);
  }
}

/**
 * Parses like {@link parseJson}. A long text, which would block the event loop, is parsed a few milliseconds at a time.
 *
 * @returns a promise if the text is long
 * @throws GatewayError `BAD_REQUEST`, possibly as a rejected promise
 */
export function parseJsonInTurn(text: string, options: ParseJsonOptions = {}): unknown {
  if (text.length < LONG_TEXT) return parseJson(text, options);
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  const forbidden = isSuspicious(text) ? FORBIDDEN : undefined;
  const slices = parseInSlices(new JsonText(text.startsWith('\uFEFF') ? text.slice(1) : text), { maxDepth, forbidden });
  return new Promise((resolve, reject) => {
    const onFailed = (cause: unknown): void => {
      if (cause instanceof NestedTooDeeply) return reject(nestedTooDeeply(options));
      runInTurn(inSteps(locateJsonErrorInSteps(text), { onDone: (issue) => reject(malformed(issue, cause, options)), onFailed: reject }));
    };
    runInTurn(inSteps(slices, { onDone: resolve, onFailed }));
  });
}

const DEFAULT_MAX_DEPTH = 64;

/** Length from which a text is parsed in slices. @unit UTF-16 code units */
const LONG_TEXT = 131_072;

const FORBIDDEN: ForbiddenKeys = { protoAction: 'error', constructorAction: 'error' };

function nestedTooDeeply({ maxDepth = DEFAULT_MAX_DEPTH, subject = 'The body' }: ParseJsonOptions): GatewayError {
  return new GatewayError('BAD_REQUEST', `${subject} is nested too deeply. The maximum depth is ${maxDepth} levels.`);
}

function malformed(issue: JsonError | undefined, cause: unknown, { subject = 'The body' }: ParseJsonOptions): GatewayError {
  // A well-formed text can be rejected only because of a forbidden key.
  if (issue === undefined)
    return new GatewayError('BAD_REQUEST', `${subject} contains a forbidden key (__proto__ or constructor.prototype).`, { cause });
  const { message, line, column } = issue;
  return new GatewayError('BAD_REQUEST', `${subject} is not valid JSON: ${message} at line ${line}, column ${column}.`, { cause });
}

function isSuspicious(text: string): boolean {
  return SUSPICIOUS.some((part) => text.includes(part));
}

/**
 * Substrings, one of which occurs in every text with a forbidden key. Searching for them is much faster than for a pattern. The last one is
 * a byte order mark, which is skipped.
 */
const SUSPICIOUS = ['__proto__', 'constructor', '\\u', '\uFEFF'];

/** Whether a text exceeds the nesting depth. It is one iterative pass that ignores brackets in strings. */
function isNestedDeeperThan(maxDepth: number, text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === 0x22) index = endOfJsonString(text, index);
    else if (character === 0x7b || character === 0x5b) depth += 1;
    else if (character === 0x7d || character === 0x5d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
