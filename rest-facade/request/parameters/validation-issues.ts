import { type ErrorCode, type ErrorDetail, GatewayError } from '../../../gateway/platform/errors.ts';

/** Collects the validation errors of a request, so that one response lists them all. */
export interface ValidationIssues {
  /** Adds an error. @param issue error as the end of a sentence that starts with the name */
  add(code: ErrorCode, field: string, issue: string): void;
  /** Throws the collected errors, if there are any. @throws GatewayError with the code of the first error */
  throwAny(): void;
}

/** Maximum length of a name in messages. Names come from the client and can be as long as a body. @unit characters */
const SHOWN_NAME_LENGTH = 100;

export function createValidationIssues(maxDetails: number): ValidationIssues {
  const codes: ErrorCode[] = [];
  const details: ErrorDetail[] = [];
  return {
    add(code, field, issue) {
      codes.push(code);
      if (details.length >= maxDetails) return;
      const name = field.length > SHOWN_NAME_LENGTH ? `${field.slice(0, SHOWN_NAME_LENGTH)}…` : field;
      details.push({ field: name, message: name === '' ? `The body ${issue}.` : `"${name}" ${issue}.` });
    },
    throwAny() {
      const [code] = codes;
      if (code === undefined) return;
      const others =
        codes.length === 1 ? '' : ` The request contains ${codes.length - 1} more validation ${codes.length === 2 ? 'error' : 'errors'}.`;
      throw new GatewayError(code, `${details[0]?.message ?? ''}${others}`, { details });
    },
  };
}
