/** Error for a file of the webhook service that is missing or invalid. The message names the file, the mistake and the remedy. */
export class ServiceInvalid extends Error {
  override readonly name = 'ServiceInvalid';
}
