import { type ErrorCode, type ErrorDetail, GatewayError } from '../../../gateway/platform/errors.ts';

/** What is wrong with the values of a request, collected so that the client hears of all at once. */
export interface ValidationIssues {
  /** @param fault the end of a sentence that starts with the name */
  add(code: ErrorCode, field: string, fault: string): void;
  /** @throws GatewayError with the code of the first fault, when there is any */
  throwAny(): void;
}

/** Names come from the client and may be as long as a body. @unit characters */
const SHOWN_NAME_LENGTH = 100;

export function createValidationIssues(maxDetails: number): ValidationIssues {
  const codes: ErrorCode[] = [];
  const details: ErrorDetail[] = [];
  return {
    add(code, field, fault) {
      codes.push(code);
      if (details.length >= maxDetails) return;
      const name = field.length > SHOWN_NAME_LENGTH ? `${field.slice(0, SHOWN_NAME_LENGTH)}…` : field;
      details.push({ field: name, message: name === '' ? `The body ${fault}.` : `"${name}" ${fault}.` });
    },
    throwAny() {
      const [code] = codes;
      if (code === undefined) return;
      const others = codes.length === 1 ? '' : ` ${codes.length - 1} more of the request's values are at fault.`;
      throw new GatewayError(code, `${details[0]?.message ?? ''}${others}`, { details });
    },
  };
}
