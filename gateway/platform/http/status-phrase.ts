import { STATUS_CODES } from 'node:http';

/** What a status is called: `Not Found`. */
export function statusPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Status';
}
