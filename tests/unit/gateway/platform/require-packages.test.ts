import { describe, expect, it } from '@jest/globals';
import { loadPackage, PackagesMissing, requirePackages } from '../../../../gateway/platform/require-packages.ts';

describe('requirePackages', () => {
  it('names a missing package, what requires it and the command that installs it', () => {
    const missing = (): void => requirePackages(['graphql', '@none/such'], 'the setting a.b');
    expect(missing).toThrow(PackagesMissing);
    expect(missing).toThrow(
      'The package @none/such is required for the setting a.b, but not installed. Install with: npm install "@none/such@latest"',
    );
  });

  it('shows one command that installs all missing packages', () => {
    expect(() => requirePackages(['@none/such', 'no-such'], '`gatefold check`')).toThrow(
      'The packages @none/such, no-such are required for `gatefold check`, but not installed. Install with: npm install "@none/such@latest" "no-such@latest"',
    );
  });

  it('loads an installed package, and names what requires a missing one', () => {
    expect(() => loadPackage('@none/such', '`gatefold compose`')).toThrow(PackagesMissing);
    expect(loadPackage('@apollo/composition', '`gatefold compose`')).toHaveProperty('composeServices');
  });

  it('accepts installed optional peers, also without a CommonJS entry', () => {
    expect(() => requirePackages(['ioredis', 'express', 'canonicalize', '@apollo/server'], 'a test')).not.toThrow();
  });
});
