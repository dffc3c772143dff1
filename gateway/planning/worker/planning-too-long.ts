import { OperationRefused } from '../../operation/operation-refused.ts';

/** An operation whose planning was given up. It may be tried again after some time: the process may have been busy. */
export class PlanningTooLong extends OperationRefused {
  constructor() {
    super('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation takes too long to plan.' }]);
    this.name = 'PlanningTooLong';
  }
}
