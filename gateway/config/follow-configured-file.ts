import { FileUnusable, type FollowedFile, type FollowFileOptions, followFile } from '../platform/follow-file.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';

export interface FollowConfiguredFileOptions<Content> extends Omit<FollowFileOptions<Content>, 'name'> {
  /** Key that names the file, such as `auth.providers.basic.file`. */
  readonly setting: string;
}

/**
 * Reads a file that the configuration names, and reloads it when it changes.
 *
 * @throws ConfigurationInvalid when the file cannot be read or parsed at startup
 */
export function followConfiguredFile<Content>({ setting, ...options }: FollowConfiguredFileOptions<Content>): FollowedFile<Content> {
  try {
    return followFile({ ...options, name: setting });
  } catch (error) {
    throw error instanceof FileUnusable ? new ConfigurationInvalid([{ path: setting, message: error.message }]) : error;
  }
}
