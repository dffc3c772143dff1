import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { type AdmissionLimits, createConnectionAdmission } from '../../../../gateway/subscriptions/admission.ts';

const LIMITS: AdmissionLimits = { maxConnections: 10, maxConnectionsPerAddress: 10, maxConnectionsPerPrincipal: 10, maxUnacknowledged: 10 };
const user = (id: string): Principal => ({ ...ANONYMOUS, kind: 'user', id });
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('createConnectionAdmission', () => {
  it('rejects connections above the limit of an address, but not of other addresses', () => {
    const admission = createConnectionAdmission({ ...LIMITS, maxConnectionsPerAddress: 1 });
    const first = admission.enter('10.0.0.1');
    expect(() => admission.enter('10.0.0.1')).toThrow(code('SUBSCRIPTION_LIMIT'));
    admission.enter('10.0.0.2');
    first.release();
    admission.enter('10.0.0.1');
  });

  it('rejects connections with OVERLOADED above the total limit', () => {
    const admission = createConnectionAdmission({ ...LIMITS, maxConnections: 1 });
    const position = admission.enter('a');
    expect(() => admission.enter('b')).toThrow(code('OVERLOADED'));
    position.release();
    position.release();
    expect(admission.size).toBe(0);
    admission.enter('b');
    expect(() => admission.enter('c')).toThrow(code('OVERLOADED'));
  });

  it('rejects claims above the limit of a caller, but not of other callers', () => {
    const admission = createConnectionAdmission({ ...LIMITS, maxConnectionsPerPrincipal: 1 });
    const first = admission.enter('a');
    first.claim(user('1'));
    const second = admission.enter('a');
    expect(() => second.claim(user('1'))).toThrow(code('SUBSCRIPTION_LIMIT'));
    second.claim(user('2'));
    for (let count = 0; count < 3; count += 1) admission.enter('a').claim(ANONYMOUS);
    first.release();
    admission.enter('b').claim(user('1'));
  });

  it('limits unclaimed connections until one is claimed or released', () => {
    const admission = createConnectionAdmission({ ...LIMITS, maxUnacknowledged: 2 });
    const [first, second] = [admission.enter('a'), admission.enter('a')];
    expect(() => admission.enter('a')).toThrow(code('OVERLOADED'));
    first.claim(ANONYMOUS);
    first.claim(user('1'));
    admission.enter('a');
    expect(() => admission.enter('a')).toThrow(code('OVERLOADED'));
    second.release();
    admission.enter('a');
  });
});
