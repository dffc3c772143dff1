import { OperationRefused } from '../../../gateway/operation/operation-refused.ts';
import { asErrorOf, thrownBy } from '../errors/catch-error.ts';

/** Returns the error with which an operation is rejected. */
export function refusalOf(work: () => unknown): OperationRefused {
  return asErrorOf(OperationRefused, thrownBy(work));
}

/** Returns the code and the messages of the rejection. */
export function faultsOf(work: () => unknown): readonly string[] {
  const { code, faults } = refusalOf(work);
  return [code, ...faults.map(({ message }) => message)];
}
