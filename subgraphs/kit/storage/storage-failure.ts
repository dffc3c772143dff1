/** Error for a database or a data directory that cannot be used. The message is for the operator and contains no password. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}
