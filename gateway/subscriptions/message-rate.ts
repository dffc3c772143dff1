/** How often a client may say something. */
export interface MessageRate {
  /** @unit messages per second */
  readonly perSecond: number;
  /** At once. @unit messages */
  readonly burst: number;
}

/** Two numbers for each client. */
export interface MessageAllowance {
  /** @unit messages, also parts of one */
  left: number;
  /** When that was so. @unit milliseconds */
  at: number;
}

/** Takes one message from an allowance; false where none is left. */
export function takeMessage(allowance: MessageAllowance, { perSecond, burst }: MessageRate, now: number): boolean {
  allowance.left = Math.min(burst, allowance.left + ((now - allowance.at) * perSecond) / 1_000);
  allowance.at = now;
  if (allowance.left < 1) return false;
  allowance.left -= 1;
  return true;
}
