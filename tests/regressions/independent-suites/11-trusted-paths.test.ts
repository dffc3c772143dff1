import { describe, expect, it } from '@jest/globals';
import { createServicePathCheck, createTrustedPathCheck } from '../../../gateway/http/server/transport-security.ts';
import { compileNetworks } from '../../../gateway/platform/http/request/client-address.ts';

describe('point 11: paths on which operator keys are accepted', () => {
  const check = createTrustedPathCheck(compileNetworks(['10.0.0.0/8', '127.0.0.0/8']));
  const from = (remoteAddress: string, headers = {}) => check({ socket: { remoteAddress } as never, headers });

  it.each([
    ['another machine', '192.0.2.7', {}],
    ['a trusted proxy without TLS', '10.0.0.1', {}],
    ['a trusted proxy that received the request without TLS', '10.0.0.1', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'http' }],
    ['another machine that claims TLS', '192.0.2.7', { 'x-forwarded-proto': 'https' }],
    ['a proxy on this machine for another machine', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }],
    ['a proxy on this machine for an unnamed client', '127.0.0.1', { 'x-forwarded-for': 'unknown' }],
    ['a proxy on this machine that names part of the path', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7, unknown' }],
    ['a proxy on this machine that sends Forwarded', '::1', { forwarded: 'for=192.0.2.7;proto=http' }],
    ['a proxy on this machine that sends X-Real-IP', '127.0.0.1', { 'x-real-ip': '192.0.2.7' }],
    ['a proxy on this machine that sends only the protocol', '127.0.0.1', { 'x-forwarded-proto': 'http' }],
    ['a proxy on this machine that sends only the host', '127.0.0.1', { 'x-forwarded-host': 'example.com' }],
    ['a proxy on this machine that sends Via', '::1', { via: '1.1 proxy' }],
    ['a proxy on another machine for itself', '10.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
  ])('exclude %s', (_title, address, headers) => {
    expect(() => from(address, headers)).toThrow(expect.objectContaining({ code: 'TLS_REQUIRED' }));
  });

  it.each([
    ['this machine', '127.0.0.1', {}],
    ['this machine by IPv6', '::1', {}],
    ['this machine by a mapped address', '::ffff:127.0.0.1', {}],
    ['this machine by a proxy on it', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' }],
    ['a trusted proxy that received the request over TLS', '10.0.0.1', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }],
  ])('include %s', (_title, address, headers) => {
    expect(() => from(address, headers)).not.toThrow();
  });
});

describe('point 11: paths on which service tokens are accepted', () => {
  const check = createServicePathCheck(compileNetworks(['10.0.0.0/8', '127.0.0.0/8']));
  const from = (remoteAddress: string, headers = {}) => check({ socket: { remoteAddress } as never, headers });

  it.each([
    ['a trusted proxy that received the request without TLS', '10.0.0.1', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'http' }],
    ['a proxy on this machine for an unnamed client', '127.0.0.1', { 'x-forwarded-for': 'unknown' }],
    ['an untrusted proxy, whatever it claims', '192.0.2.7', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }],
    ['a proxy that sends only the protocol', '10.0.0.1', { 'x-forwarded-proto': 'http' }],
    ['a proxy that sends Via', '192.0.2.7', { via: '1.1 proxy' }],
    ['a proxy that sends Forwarded', '10.0.0.1', { forwarded: 'for=192.0.2.7;proto=http' }],
  ])('exclude %s', (_title, address, headers) => {
    expect(() => from(address, headers)).toThrow(expect.objectContaining({ code: 'TLS_REQUIRED' }));
  });

  it.each([
    ['this machine', '127.0.0.1', {}],
    ['a service on another machine that connects directly', '172.20.0.5', {}],
    ['a trusted proxy that received the request over TLS', '10.0.0.1', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }],
  ])('include %s', (_title, address, headers) => {
    expect(() => from(address, headers)).not.toThrow();
  });
});
