declare module 'fs-native-extensions' {
  /** Requests an exclusive lock on an open file; false when another descriptor holds one. */
  export function tryLock(fd: number): boolean;
}
