import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readHeadersFile } from '../../../../gateway/telemetry/read-headers-file.ts';

describe('the file with headers for a collector', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatefold-headers-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function fileOf(text: string): string {
    const path = join(directory, 'headers');
    writeFileSync(path, text);
    return path;
  }

  it('is rejected with its path when it does not exist', () => {
    expect(() => readHeadersFile(join(directory, 'missing'))).toThrow(/missing cannot be read/);
  });

  it('is rejected with the number of a line that is no header, without its content', () => {
    const read = () => readHeadersFile(fileOf('a: b\nthe secret\n'));
    expect(read).toThrow(/line 2 of .* must have the form "name: value"/);
    expect(read).not.toThrow(/the secret/);
  });

  it('has no headers when it is not configured', () => {
    expect(readHeadersFile(undefined)).toEqual({});
  });

  it('may have comments, empty lines and values with colons', () => {
    expect(readHeadersFile(fileOf('# for the collector\n\nAuthorization: Basic a:b=\r\nX-Tenant:7\n'))).toEqual({
      authorization: 'Basic a:b=',
      'x-tenant': '7',
    });
  });
});
