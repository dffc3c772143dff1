/** What carries messages, whatever it is made of. */
export interface SessionSocket {
  /** What was sent and has not left yet. @unit bytes */
  readonly bufferedAmount: number;
  /** Whether nothing is read from the client until it has read what was sent. */
  readonly isHeldBack: boolean;
  /**
   * Sends a message if it fits into what may wait for clients.
   *
   * @param sent called when it has left, or the socket is gone; not called for what does not fit
   * @returns whether it fits
   */
  send(text: string, sent?: () => void): boolean;
  ping(): void;
  close(code: number, reason: string): void;
  /** Without another word. */
  terminate(): void;
}
