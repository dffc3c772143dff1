import { systemErrorCode } from './system-error-code.ts';

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
  EIO: 'the device reports an input or output error. Check the device',
};

/** Error numbers of WASI, which an embedded database reports in place of names (wasi_snapshot_preview1, `errno`). */
const WASI_NAMES: ReadonlyMap<number, string> = new Map([
  [2, 'EACCES'],
  [19, 'EDQUOT'],
  [29, 'EIO'],
  [33, 'EMFILE'],
  [41, 'ENFILE'],
  [51, 'ENOSPC'],
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
  return name === undefined ? undefined : CAUSES[name];
}

function nameOf(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  if (code !== undefined && Object.hasOwn(CAUSES, code)) return code;
  const state = code === undefined ? undefined : SQL_STATES.get(code);
  if (state !== undefined) return state;
  if (typeof error !== 'object' || error === null) return undefined;
  if ('name' in error && error.name === 'ErrnoError' && 'errno' in error && typeof error.errno === 'number')
    return WASI_NAMES.get(error.errno);
  return 'cause' in error ? nameOf(error.cause) : undefined;
}
