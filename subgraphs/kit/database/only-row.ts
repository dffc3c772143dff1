/** The row of a statement that gives exactly one. @throws Error when it gave none, which is a mistake of ours */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement gave back no row.');
  return row;
}
