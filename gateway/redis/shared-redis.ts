/**
 * Redis commands that the gateway uses. They are sent to the single node, or to the Cluster node that holds the key. The type is
 * independent of the client package, which most installations do not have.
 */
export interface RedisCommands {
  get(key: string): Promise<string | null>;
  del(...keys: string[]): Promise<number>;
  eval(script: string, numberOfKeys: number, ...keysAndValues: (string | number)[]): Promise<unknown>;
  evalsha(sha: string, numberOfKeys: number, ...keysAndValues: (string | number)[]): Promise<unknown>;
}

/**
 * Redis that all gateways of a graph share. Commands never throw and never take longer than the timeout, so callers can continue without
 * Redis.
 */
export interface SharedRedis<Commands = RedisCommands> extends AsyncDisposable {
  /** Runs a command. @returns undefined when Redis is down, too slow, or rejects the command; logged once instead of for every command */
  run<T>(command: (redis: Commands) => Promise<T>): Promise<{ readonly value: T } | undefined>;
}
