import { OperationRefused } from '../../../../gateway/operation/operation-refused.ts';

/** The refusal that some work ends in. */
export function refusalOf(work: () => unknown): OperationRefused {
  try {
    work();
  } catch (error) {
    if (error instanceof OperationRefused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Messages of the refusal, after its code. */
export function faultsOf(work: () => unknown): readonly string[] {
  const { code, faults } = refusalOf(work);
  return [code, ...faults.map(({ message }) => message)];
}
