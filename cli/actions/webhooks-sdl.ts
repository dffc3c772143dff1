import { readWebhooksSdl } from '../../subgraphs/webhooks/service/webhooks-sdl.ts';
import { printJson } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from '../write-output.ts';

export interface WebhooksSdlOptions {
  readonly ownerType?: string;
  readonly ownerKey: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Prints the SDL of the webhook service, or writes it to a file. @throws CommandFailed when the file cannot be written */
export async function webhooksSdl({ ownerType, ownerKey, out, json }: WebhooksSdlOptions, terminal: Terminal): Promise<void> {
  const sdl = await readWebhooksSdl(ownerType === undefined ? undefined : { type: ownerType, key: ownerKey });
  if (out !== undefined) await writeOutput(out, sdl);
  if (json === true) printJson(terminal, out === undefined ? { sdl } : { file: out });
  else terminal.print(out === undefined ? sdl.trimEnd() : `Wrote ${out}.`);
}
