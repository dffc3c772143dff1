/** A plan has no fetch that brings a selected field: a defect of the planner, found before the plan is executed. */
export class UnfilledField extends Error {
  /** Schema coordinate of the field, `Type.field`. */
  readonly coordinate: string;

  constructor(coordinate: string) {
    super(`No fetch of the plan brings the selected field ${coordinate}.`);
    this.name = 'UnfilledField';
    this.coordinate = coordinate;
  }
}
