import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Logger } from '../../../../gateway/platform/logger.ts';
import { createPrettyWriter } from '../../../../gateway/platform/pretty-log.ts';
import { SupergraphInvalid } from '../../../../gateway/supergraph/supergraph-invalid.ts';

/** Logs one entry. Returns the written text with a constant time. */
function written(log: (logger: Logger) => void, hasColors = false): string {
  let text = '';
  const writer = createPrettyWriter({ write: (line) => (text += line), hasColors });
  log(pino({ level: 'debug', base: null }, writer));
  return text.replace(/\d\d:\d\d:\d\d/, '10:00:00');
}

describe('the pretty log', () => {
  it('prints the message of an expected error with its cause, indented and without a stack', () => {
    const err = new SupergraphInvalid('Two mistakes:\nfilms.graphql:1:2: one', { cause: new Error('refused') });
    expect(written((logger) => logger.error({ err }, 'A supergraph was rejected.'))).toBe(
      '10:00:00 ERROR A supergraph was rejected.\n  Two mistakes:\n  films.graphql:1:2: one: refused\n',
    );
  });

  it('prints the first frames of an unexpected error', () => {
    const text = written((logger) => logger.error({ err: new TypeError('undefined is not a function') }, 'A request failed.'));
    expect(text).toMatch(/^10:00:00 ERROR A request failed\.\n {2}undefined is not a function\n {4}at .*pretty-log/);
    expect(text.split('\n').length).toBeLessThanOrEqual(7);
  });

  it('prints fields after the message, quotes texts with spaces, and truncates long values', () => {
    const text = written((logger) => logger.warn({ subgraph: 'films', reason: 'not found', list: 'x'.repeat(500) }, 'It failed.'));
    expect(text).toMatch(/^10:00:00 WARN {2}It failed\. subgraph=films reason="not found" list=x{199}…\n$/);
  });

  it('prints control characters as escapes, so that no client changes the terminal or other lines', () => {
    const hostile = 'a\u001B[2J\u009B31m\u0007\u202Eb';
    const shown = String.raw`a\u001b[2J\u009b31m\u0007\u202eb`;
    const log = (logger: Logger) => logger.error({ operation: hostile, err: new SupergraphInvalid(hostile) }, hostile);
    expect(written(log)).toBe(`10:00:00 ERROR ${shown} operation=${shown}\n  ${shown}\n`);
    expect(written(log, true)).not.toContain('[2J\u009B');
  });

  it('uses colors only if the output shows them', () => {
    expect(written((logger) => logger.info({}, 'Ready.'))).toBe('10:00:00 INFO  Ready.\n');
    expect(written((logger) => logger.info({}, 'Ready.'), true)).toContain('\u001B[32mINFO \u001B[0m Ready.');
  });
});
