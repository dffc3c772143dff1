import { Command, InvalidArgumentError } from 'commander';
import type { ClientVersion, PersistOptions } from '../actions/persist.ts';
import { JSON_OPTION } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold persist`: converts documents of a client to a manifest of trusted documents. */
export function persistCommand(terminal: Terminal): Command {
  return new Command('persist')
    .description('Write the operations of a client, each with its fragments and its id, to a manifest for `persisted.manifests`.')
    .argument('<glob...>', "documents of the client: files, or patterns such as 'src/**/*.graphql'")
    .requiredOption('-o, --out <file>', 'output file of the manifest')
    .requiredOption('-c, --client <name@version>', 'name and version of the client', readClient)
    .option('--typename', 'add __typename to every selection below the root, as Apollo Client and urql do before they send a document')
    .option(...JSON_OPTION)
    .action(async (patterns: readonly string[], options: PersistOptions) => {
      const { persist } = await import('../actions/persist.ts');
      await persist(patterns, options, terminal);
    });
}

function readClient(text: string): ClientVersion {
  const at = text.lastIndexOf('@');
  if (at > 0 && at < text.length - 1) return { name: text.slice(0, at), version: text.slice(at + 1) };
  throw new InvalidArgumentError('Use the format name@version, for example web@1.4.2.');
}
