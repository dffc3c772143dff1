/** Thrown when no fetch of a plan provides a selected field. This is a defect of the planner, found before the plan is executed. */
export class UnfilledField extends Error {
  /** Schema coordinate of the field, `Type.field`. */
  readonly coordinate: string;

  constructor(coordinate: string) {
    super(`No fetch of the plan provides the selected field ${coordinate}.`);
    this.name = 'UnfilledField';
    this.coordinate = coordinate;
  }
}
