import { nearestKey } from '../../platform/nearest-key.ts';
import type { ConnectVersion } from '../connect-version.ts';
import type { MethodNode, SelectionNode } from './selection-node.ts';

/** Syntax of a method. */
interface MethodSyntax {
  /** First version of the connect specification that has the method. */
  readonly since: ConnectVersion;
  readonly minArguments: number;
  readonly maxArguments: number;
}

function method(since: ConnectVersion, minArguments = 0, maxArguments = minArguments): MethodSyntax {
  return { since, minArguments, maxArguments };
}

/** All methods by name. */
export const MAPPING_METHODS: ReadonlyMap<string, MethodSyntax> = new Map(
  Object.entries({
    echo: method('0.1', 1),
    map: method('0.1', 1),
    match: method('0.1', 1, Number.POSITIVE_INFINITY),
    first: method('0.1'),
    last: method('0.1'),
    slice: method('0.1', 0, 2),
    size: method('0.1'),
    entries: method('0.1'),
    keys: method('0.1'),
    values: method('0.1'),
    has: method('0.1', 1),
    typeof: method('0.1'),
    matchIf: method('0.1', 1, Number.POSITIVE_INFINITY),
    jsonStringify: method('0.1'),
    joinNotNull: method('0.2', 1),
    as: method('0.3', 1, 2),
    filter: method('0.3', 1),
    find: method('0.3', 1),
    get: method('0.3', 1),
    eq: method('0.3', 1),
    ne: method('0.3', 1),
    lt: method('0.3', 1),
    lte: method('0.3', 1),
    gt: method('0.3', 1),
    gte: method('0.3', 1),
    and: method('0.3', 1, Number.POSITIVE_INFINITY),
    or: method('0.3', 1, Number.POSITIVE_INFINITY),
    not: method('0.3'),
    in: method('0.3', 1, Number.POSITIVE_INFINITY),
    contains: method('0.3', 1),
    add: method('0.3', 1, Number.POSITIVE_INFINITY),
    sub: method('0.3', 1, Number.POSITIVE_INFINITY),
    mul: method('0.3', 1, Number.POSITIVE_INFINITY),
    div: method('0.3', 1, Number.POSITIVE_INFINITY),
    mod: method('0.3', 1, Number.POSITIVE_INFINITY),
    parseInt: method('0.3', 0, 1),
    toString: method('0.3'),
    jsonParse: method('0.3'),
    split: method('0.4', 1, 2),
    trim: method('0.4'),
    trimStart: method('0.4'),
    trimEnd: method('0.4'),
    keysToCamelCase: method('0.4'),
    keysToCamelCaseDeep: method('0.4'),
  }),
);

/**
 * Returns what is wrong with the arguments of a call, or `undefined`. A call with wrong arguments has no result, except that `->as` always
 * returns its input.
 */
export function findArgumentMistake({ name, args }: MethodNode): string | undefined {
  const syntax = MAPPING_METHODS.get(name);
  if (syntax === undefined) return describeUnknownMethod(name);
  const { minArguments, maxArguments } = syntax;
  if (args.length < minArguments || args.length > maxArguments) {
    return `->${name} takes ${describeArguments(syntax)}, but has ${String(args.length)}`;
  }
  const isPairs = name === 'match' || name === 'matchIf';
  if (isPairs && !args.every((pair) => pair.kind === 'list' && (pair.items.length === 1 || pair.items.length === 2))) {
    return `Each argument of ->${name} must be a pair: [candidate, value]`;
  }
  if (name !== 'as' || declaredVariable(args[0]) !== undefined) return undefined;
  return 'The first argument of ->as must be a variable such as $name';
}

/** Says that a method does not exist, and which one was probably meant. */
export function describeUnknownMethod(name: string): string {
  const near = nearestKey(name, MAPPING_METHODS.keys());
  return `There is no method ->${name}${near === undefined ? '' : `. Did you mean ->${near}?`}`;
}

/** Returns the variable that `->as` declares, with the dollar sign, if its first argument is one. */
export function declaredVariable(argument: SelectionNode | undefined): string | undefined {
  if (argument?.kind !== 'path' || argument.steps.length > 0 || argument.selection !== undefined) return undefined;
  return argument.head.kind === 'variable' ? argument.head.name : undefined;
}

/** Says how many arguments a method takes: `no arguments`, `1 argument`, `1 to 2 arguments`, `1 argument or more`. */
function describeArguments({ minArguments: min, maxArguments: max }: MethodSyntax): string {
  if (max === 0) return 'no arguments';
  const plural = (count: number): string => (count === 1 ? '1 argument' : `${String(count)} arguments`);
  if (min === max) return plural(min);
  return max === Number.POSITIVE_INFINITY ? `${plural(min)} or more` : `${String(min)} to ${plural(max)}`;
}
