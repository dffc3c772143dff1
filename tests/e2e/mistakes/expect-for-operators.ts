import { expect } from '@jest/globals';

/** A line of a stack trace, in plain text and in a JSON record. */
const STACK = /^\s+at |\\n\s+at |"stack":/m;
/** An absolute path of the package. Its files are of no use to an operator. */
const INTERNALS = /(?:file:\/\/)?\/[^\s:]*\/(?:dist|node_modules)\//;
/** Messages of the schema library that validates the configuration. */
const RAW_VALIDATION = /Invalid input|expected \w+, received|Unrecognized key|ZodError|"code": ?"(?:invalid_|unrecognized_)/;

/** Expects that an output contains no stack trace outside of a JSON record. */
export function expectNoStack(output: string): void {
  expect(output).not.toMatch(/^\s+at /m);
}

/** Expects that a text for operators contains nothing that only developers of the gateway understand. */
export function expectForOperators(text: string): void {
  expect(text).not.toMatch(STACK);
  expect(text).not.toMatch(INTERNALS);
  expect(text).not.toMatch(RAW_VALIDATION);
}
