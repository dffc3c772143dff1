import secureJson from 'secure-json-parse';
import { endOfJsonString, type ForbiddenKeys, NestedTooDeeply, parseInSlices } from '../../parse-in-slices.ts';
import { GatewayError } from '../../errors.ts';
import { inSteps, runInTurn } from '../../run-in-turn.ts';
import { type JsonFault, locateJsonFault, locateJsonFaultInSteps } from './locate-json-error.ts';

export interface ParseJsonOptions {
  /** Deepest nesting of arrays and objects; everything that walks the value later may recurse that far. @defaultValue 64 */
  readonly maxDepth?: number;
  /** What the text is, as the client knows it; starts the messages. @defaultValue 'The body' */
  readonly subject?: string;
}

/**
 * JSON text of a client to a value that is safe to hand on: no `__proto__` key and no `constructor.prototype` anywhere,
 * however spelled, and no nesting that a recursive reader could choke on.
 *
 * @throws GatewayError `BAD_REQUEST` that says what is wrong and where
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  if (isNestedDeeperThan(maxDepth, text)) throw nestedTooDeeply(options);
  try {
    return isSuspicious(text) ? secureJson.parse(text, FORBIDDEN) : JSON.parse(text);
  } catch (cause) {
    throw malformed(locateJsonFault(text), cause, options);
  }
}

/**
 * Does the same as {@link parseJson}. A long text, which would block the event loop, is parsed a few milliseconds at a time.
 *
 * @returns a promise where the text is long
 * @throws GatewayError `BAD_REQUEST`, also as a rejection
 */
export function parseJsonInTurn(text: string, options: ParseJsonOptions = {}): unknown {
  if (text.length < LONG_TEXT) return parseJson(text, options);
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  const forbidden = isSuspicious(text) ? FORBIDDEN : undefined;
  const slices = parseInSlices(text.startsWith('\uFEFF') ? text.slice(1) : text, { maxDepth, forbidden });
  return new Promise((resolve, reject) => {
    const onFailed = (cause: unknown): void => {
      if (cause instanceof NestedTooDeeply) return reject(nestedTooDeeply(options));
      runInTurn(inSteps(locateJsonFaultInSteps(text), { onDone: (fault) => reject(malformed(fault, cause, options)), onFailed: reject }));
    };
    runInTurn(inSteps(slices, { onDone: resolve, onFailed }));
  });
}

const DEFAULT_MAX_DEPTH = 64;

/** Length from which a text is parsed in slices. @unit UTF-16 code units */
const LONG_TEXT = 131_072;

const FORBIDDEN: ForbiddenKeys = { protoAction: 'error', constructorAction: 'error' };

function nestedTooDeeply({ maxDepth = DEFAULT_MAX_DEPTH, subject = 'The body' }: ParseJsonOptions): GatewayError {
  return new GatewayError('BAD_REQUEST', `${subject} is nested more than ${maxDepth} levels deep.`);
}

function malformed(fault: JsonFault | undefined, cause: unknown, { subject = 'The body' }: ParseJsonOptions): GatewayError {
  // Well-formed text that is refused all the same can only have one of the forbidden keys.
  if (fault === undefined) return new GatewayError('BAD_REQUEST', `${subject} has a key that is not allowed.`, { cause });
  const { message, line, column } = fault;
  return new GatewayError('BAD_REQUEST', `${subject} is not valid JSON: ${message} at line ${line}, column ${column}.`, { cause });
}

function isSuspicious(text: string): boolean {
  return SUSPICIOUS.some((part) => text.includes(part));
}

/**
 * Without any of these, which are looked for much faster than by pattern, a text can have none of the forbidden keys; the
 * last is a byte order mark, which is passed over.
 */
const SUSPICIOUS = ['__proto__', 'constructor', '\\u', '\uFEFF'];

/** One pass without recursion; brackets inside strings do not count. */
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
