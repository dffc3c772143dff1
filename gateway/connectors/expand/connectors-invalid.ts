/** Thrown for connectors that cannot be planned. The message names the coordinate. */
export class ConnectorsInvalid extends Error {
  override readonly name = 'ConnectorsInvalid';
}
