import { GatewayError } from '../platform/errors.ts';

/** The parameters of a request as they came. */
export type RawParameters = Readonly<Record<string, unknown>>;

/** Undefined where it is absent or null. @throws GatewayError `BAD_REQUEST` */
export function readText(raw: RawParameters, name: string): string | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" must be a string.`);
  return value;
}

/** Undefined where it is absent or null. @throws GatewayError `BAD_REQUEST` */
export function readMap(raw: RawParameters, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (!isMap(value)) throw new GatewayError('BAD_REQUEST', `"${name}" must be an object.`);
  return value;
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(raw: RawParameters, name: string): unknown {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}
