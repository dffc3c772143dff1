import { GatewayError } from './errors.ts';
import { shortOrigin } from './http/request/allowed-origins.ts';
import type { LogSampler } from './log-sampler.ts';

/** Caller and operation of a rejected request. */
export interface RejectionContext {
  /** Kind of the caller, never its identity or credentials: `anonymous`, `user`, `service` or `web page`. */
  readonly caller: string;
  /** Name of the operation. @defaultValue unknown */
  readonly operation?: string | undefined;
  /** Origin of the web page. @defaultValue none */
  readonly origin?: string | undefined;
}

/** Maximum length of an operation name in the log. @unit UTF-16 code units */
const LONGEST_NAME = 100;

/** Logs a rejection that a setting decided. Other errors are ignored. */
export function logRejection(sampler: LogSampler, error: unknown, { caller, operation, origin }: RejectionContext): void {
  if (!(error instanceof GatewayError) || error.setting === undefined) return;
  const { setting, code, message: reason } = error;
  sampler.warn(`${setting} ${code} ${caller}`, `A request was rejected. The setting ${setting} decides.`, () => ({
    setting,
    code,
    caller,
    ...(operation === undefined ? {} : { operation: operation.slice(0, LONGEST_NAME) }),
    ...(origin === undefined ? {} : { origin: shortOrigin(origin) }),
    reason,
  }));
}
