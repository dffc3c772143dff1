/** Where the description of the interface stands, and the page that shows it with all that is below; no resource may stand there. */
const DESCRIPTION_PATHS = /^\/(?:docs(?:\/|$)|openapi\.(?:json|yaml)$)/;

export function isDescriptionPath(path: string): boolean {
  return DESCRIPTION_PATHS.test(path);
}
