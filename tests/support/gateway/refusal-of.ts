import { OperationRefused } from '../../../gateway/operation/operation-refused.ts';
import { asErrorOf, thrownBy } from '../errors/catch-error.ts';

/** The refusal that some work ends in. */
export function refusalOf(work: () => unknown): OperationRefused {
  return asErrorOf(OperationRefused, thrownBy(work));
}

/** Messages of the refusal, after its code. */
export function faultsOf(work: () => unknown): readonly string[] {
  const { code, faults } = refusalOf(work);
  return [code, ...faults.map(({ message }) => message)];
}
