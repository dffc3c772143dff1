import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRefused } from '../operation/errors.ts';

/** @throws OperationRefused `INTROSPECTION_DISABLED` for what asks about the schema where that is not shown */
export function refuseIntrospection({ isIntrospecting }: PreparedOperation, isAllowed: boolean): void {
  if (isIntrospecting && !isAllowed) throw new OperationRefused('INTROSPECTION_DISABLED', [{ message: 'Introspection is switched off.' }]);
}
