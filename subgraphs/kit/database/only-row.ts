/** Returns the row of a statement that returns exactly one. @throws Error when it returned none, which is a defect */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
