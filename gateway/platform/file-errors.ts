/** Returns the code of a Node.js system error (`ENOENT`, `EADDRINUSE`); undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  // `instanceof` is not used, because errors of Node.js may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device. Free some space, or use a directory on another device',
  EDQUOT: 'the disk quota is used up. Free some space, or use a directory on another device',
  EROFS: 'the file system is read-only. Mount it writable, or use another directory',
  EACCES: 'this user has no permission. Grant read and write access, or use another directory',
  EPERM: 'this user has no permission, or the file belongs to another user. Change the owner, or use another directory',
  ENOTDIR: 'a part of the path is a file, not a directory. Move that file, or use another directory',
  EEXIST: 'a part of the path is a file, not a directory. Move that file, or use another directory',
  EMFILE: 'this process has too many open files. Raise the limit (`ulimit -n`)',
  ENFILE: 'the system has too many open files',
  EBUSY: 'it is in use by another process or by the system. Stop that process, or use another directory',
  EISDIR: 'it is a directory, but a file was expected. Move that directory, or use another directory',
  ELOOP: 'its symbolic links form a loop. Correct the links, or use another directory',
  ENAMETOOLONG: 'the path is too long. Use another directory',
  ENOENT: 'a part of the path does not exist, or is a symbolic link without a target. Create it, or use another directory',
  EIO: 'the device reports an input or output error. Check the device',
};

/** WASI error numbers, which an embedded database reports instead of names (wasi_snapshot_preview1, `errno`). */
const WASI_NAMES: ReadonlyMap<number, string> = new Map([
  [2, 'EACCES'],
  [10, 'EBUSY'],
  [19, 'EDQUOT'],
  [20, 'EEXIST'],
  [29, 'EIO'],
  [31, 'EISDIR'],
  [32, 'ELOOP'],
  [33, 'EMFILE'],
  [37, 'ENAMETOOLONG'],
  [41, 'ENFILE'],
  [44, 'ENOENT'],
  [51, 'ENOSPC'],
  [54, 'ENOTDIR'],
  [63, 'EPERM'],
  [69, 'EROFS'],
]);

/** SQLSTATE codes of PostgreSQL. */
const SQL_STATES: ReadonlyMap<string, string> = new Map([
  ['53100', 'ENOSPC'],
  ['58030', 'EIO'],
]);

/**
 * Describes why a file or directory cannot be used and how to fix it, without a subject and a final period; undefined for any other error.
 */
export function describeFileFailure(error: unknown): string | undefined {
  const name = nameOf(error);
  if (name !== undefined) return CAUSES[name];
  const number = wasiNumberOf(error);
  return number === undefined ? undefined : `the file system reports WASI error ${number}`;
}

/**
 * Returns the error code and its description to append to a statement such as "out.json cannot be written": ` (EACCES): this user has no
 * permission. Grant …`, without a final period. Empty for errors that are not from the file system.
 */
export function fileFailureSuffix(error: unknown): string {
  const reason = describeFileFailure(error);
  if (reason === undefined) return '';
  const name = nameOf(error);
  return `${name === undefined ? '' : ` (${name})`}: ${reason}`;
}

function nameOf(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  if (code !== undefined && Object.hasOwn(CAUSES, code)) return code;
  const state = code === undefined ? undefined : SQL_STATES.get(code);
  if (state !== undefined) return state;
  const number = wasiNumberOf(error);
  if (number !== undefined) return WASI_NAMES.get(number);
  return typeof error === 'object' && error !== null && 'cause' in error ? nameOf(error.cause) : undefined;
}

/** Returns the error number of the embedded database. Its error is not an `Error` and has no message. */
function wasiNumberOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('name' in error) || error.name !== 'ErrnoError') return undefined;
  return 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
}
