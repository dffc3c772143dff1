/** The code that Node gives errors of the system (`ENOENT`, `EADDRINUSE`); undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  // Not by `instanceof`: errors of Node itself may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device. Free some space, or use a directory on another device',
  EDQUOT: 'the disk quota is used up. Free some space, or use a directory on another device',
  EROFS: 'the file system is read-only. Mount it writable, or use another directory',
  EACCES: 'this user has no permission. Grant read and write access, or use another directory',
  EPERM: 'this user has no permission, or the file belongs to another user. Change the owner, or use another directory',
  ENOTDIR: 'a part of the path is a file and no directory. Move that file away, or use another directory',
  EEXIST: 'a part of the path is a file and no directory. Move that file away, or use another directory',
  EMFILE: 'this process has too many open files. Raise the limit (`ulimit -n`)',
  ENFILE: 'the system has too many open files',
  EBUSY: 'another process or the system uses it. Stop that use, or use another directory',
  EISDIR: 'a directory stands where a file should be. Move that directory away, or use another directory',
  ELOOP: 'its symbolic links lead in a circle. Correct the links, or use another directory',
  ENAMETOOLONG: 'the path is too long. Use another directory',
  ENOENT: 'a part of the path does not exist, or is a symbolic link to something that does not exist. Create it, or use another directory',
  EIO: 'the device reports an input or output error. Check the device',
};

/** Error numbers of WASI, which an embedded database reports in place of names (wasi_snapshot_preview1, `errno`). */
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

/** SQLSTATE of PostgreSQL. */
const SQL_STATES: ReadonlyMap<string, string> = new Map([
  ['53100', 'ENOSPC'],
  ['58030', 'EIO'],
]);

/** Why a file or directory cannot be used and what to do, without the subject and the final stop; undefined for any other error. */
export function describeFileFailure(error: unknown): string | undefined {
  const name = nameOf(error);
  if (name !== undefined) return CAUSES[name];
  const number = wasiNumberOf(error);
  return number === undefined ? undefined : `the file system reports error ${number} of WASI`;
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

/** The number in an error of the embedded database, which is no `Error` and has no message. */
function wasiNumberOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('name' in error) || error.name !== 'ErrnoError') return undefined;
  return 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
}
