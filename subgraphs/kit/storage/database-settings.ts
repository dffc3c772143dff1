/** Names of the settings with which the operator moves the data, for messages. */
export interface DatabaseSettings {
  /** Setting of the server. */
  readonly url: string;
  /** Setting of the data directory. */
  readonly directory: string;
  /** Setting with its value for a database in memory. @defaultValue the database cannot be in memory */
  readonly inMemory?: string;
}
