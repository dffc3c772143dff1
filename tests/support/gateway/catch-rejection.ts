import { OperationRejected } from '../../../gateway/operation/operation-rejected.ts';
import { asErrorOf, thrownBy } from '../errors/catch-error.ts';

/** Returns the error with which an operation is rejected. */
export function catchRejection(work: () => unknown): OperationRejected {
  return asErrorOf(OperationRejected, thrownBy(work));
}

/** Returns the code and the messages of the rejection. */
export function errorsOf(work: () => unknown): readonly string[] {
  const { code, errors: failures } = catchRejection(work);
  return [code, ...failures.map(({ message }) => message)];
}
