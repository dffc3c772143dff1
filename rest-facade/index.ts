export { type RestConfig, type RestConfigInput, restSection } from './config.ts';
export { type RestFacadeOptions, createRestFacade } from './create-rest-facade.ts';
export type { RestFacade } from './http/request-listener.ts';
export { toExpress } from './http/express-adapter.ts';
export { type CompiledRoutes, compileRoutes } from './mapping/compile-routes.ts';
export { printTemplate } from './mapping/path-template.ts';
export { MappingInvalid, type MappingProblem } from './mapping/problem.ts';
export { type RestDocument, readRestDocuments } from './mapping/read-documents.ts';
export type { RestGateway } from './rest-gateway.ts';
