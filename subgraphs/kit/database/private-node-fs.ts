import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Mask that retains the permissions of the owner, and the bits with the file type. */
const WITHOUT_OTHERS = ~0o077;

type Options = Parameters<NodeFS['init']>[1];

/** Operations of Emscripten's file system that set the mode of a file. */
interface ModeOperations {
  setattr(node: unknown, attributes: { readonly mode?: number }): void;
  mknod(parent: unknown, name: string, mode: number, device: number): unknown;
}

/**
 * File system of an embedded database with files of mode 0600 and directories of mode 0700. PGlite sets modes with `chmod` after it has
 * created a file, so the umask of the process has no effect.
 */
export class PrivateNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    const preRun: NonNullable<Options['preRun']> = [
      ({ NODEFS }) => restrictModes((NODEFS as { readonly node_ops: ModeOperations }).node_ops),
      ...(emscriptenOpts.preRun ?? []),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function restrictModes(operations: ModeOperations): void {
  const { setattr, mknod } = operations;
  operations.setattr = (node, attributes) =>
    setattr(node, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & WITHOUT_OTHERS });
  operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & WITHOUT_OTHERS, device);
}
