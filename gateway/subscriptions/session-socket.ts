/** What carries messages, whatever it is made of. */
export interface SessionSocket {
  /** What was sent and has not left yet. @unit bytes */
  readonly bufferedAmount: number;
  /** @param sent called when it has left, or the socket is gone */
  send(text: string, sent?: () => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Without another word. */
  terminate(): void;
}
