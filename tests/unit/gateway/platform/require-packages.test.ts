import { describe, expect, it } from '@jest/globals';
import { PackagesMissing, requirePackages } from '../../../../gateway/platform/require-packages.ts';

describe('packages that only some users need', () => {
  it('given one that is not installed, when required, then the error names it, what needs it and the command that installs it', () => {
    const missing = (): void => requirePackages(['graphql', '@none/such'], 'the setting a.b');
    expect(missing).toThrow(PackagesMissing);
    expect(missing).toThrow(
      'The package @none/such is required for the setting a.b, but not installed. Install with: npm install "@none/such@latest"',
    );
  });

  it('given several that are not installed, when required, then one command installs all', () => {
    expect(() => requirePackages(['@none/such', 'no-such'], '`gatefold check`')).toThrow(
      'The packages @none/such, no-such are required for `gatefold check`, but not installed. Install with: npm install "@none/such@latest" "no-such@latest"',
    );
  });

  it('given optional peers that are installed, also one without an entry for require, when required, then nothing is thrown', () => {
    expect(() => requirePackages(['ioredis', 'express', 'canonicalize', '@apollo/server'], 'a test')).not.toThrow();
  });
});
