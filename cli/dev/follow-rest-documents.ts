import type { RestFacade } from '../../rest-facade/index.ts';
import { type DevReport, describeRouteChanges } from './dev-report.ts';
import { watchDirectories } from './watch-directory.ts';

export interface FollowRestOptions {
  readonly rest: Pick<RestFacade, 'reload'>;
  /** Directories of the REST documents and of the webhook documents. */
  readonly directories: readonly string[];
  readonly report: DevReport;
  /** Called after changed documents were read, whether or not they have mistakes. */
  readonly onChange: () => void;
}

/** REST documents that are read again when they change. */
export interface FollowedRestDocuments extends AsyncDisposable {
  /** Tries changed documents again that did not fit the previous supergraph. */
  retry(): void;
}

/** Reloads the REST documents and the webhook documents when they change. Documents with mistakes are reported; the previous ones remain. */
export function followRestDocuments({ rest, directories, report, onChange }: FollowRestOptions): FollowedRestDocuments {
  let isPending = false;

  function reload(): void {
    try {
      const changes = rest.reload();
      isPending = false;
      if (changes !== undefined) report.line(describeRouteChanges(changes));
    } catch (error) {
      isPending = true;
      report.problem(`${error instanceof Error ? error.message : String(error)}\nThe previous REST documents remain in use.`);
    }
  }

  const watching = watchDirectories({
    directories,
    endings: ['.graphql'],
    onChange() {
      reload();
      onChange();
    },
  });
  return {
    retry() {
      if (isPending) reload();
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}
