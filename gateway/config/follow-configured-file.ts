import { FileUnusable, type FollowedFile, type FollowFileOptions, followFile } from '../platform/follow-file.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';

export interface FollowConfiguredFileOptions<Content> extends Omit<FollowFileOptions<Content>, 'name'> {
  /** The key that names the file: `auth.providers.basic.file`. */
  readonly setting: string;
}

/**
 * A file that the configuration names, followed.
 *
 * @throws ConfigurationInvalid when the file cannot be read, or makes no sense, at first
 */
export function followConfiguredFile<Content>({ setting, ...options }: FollowConfiguredFileOptions<Content>): FollowedFile<Content> {
  try {
    return followFile({ ...options, name: setting });
  } catch (error) {
    throw error instanceof FileUnusable ? new ConfigurationInvalid([{ path: setting, message: error.message }]) : error;
  }
}
