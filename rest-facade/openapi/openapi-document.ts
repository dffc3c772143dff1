import { stringify } from 'yaml';

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** The part of JSON Schema 2020-12 that descriptions use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly style?: 'simple' | 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly examples?: Readonly<Record<string, unknown>> }>>;

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Content;
}

/** Names of security schemes that are required together. A request must meet one requirement of the list. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** A method of a path. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

/** Operations of a path, by method in lower case. */
export type PathItem = Readonly<Record<string, OperationObject>>;

interface SecurityScheme {
  readonly type: 'http' | 'apiKey';
  readonly description: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
  readonly in?: 'header';
  readonly name?: string;
}

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/** A base URL of the paths. */
export interface Server {
  readonly url: string;
  readonly description: string;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly [field: string]: unknown;
  };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: SecuritySchemes;
  };
}

export type DescriptionFormat = 'json' | 'yaml';

/** Serializes a description. JSON is for programs, so it has no white space; YAML is for people. */
export function printDescription(document: OpenApiDocument, format: DescriptionFormat): string {
  // Repeated objects are written out, because readers of OpenAPI may not support YAML anchors.
  return format === 'json' ? JSON.stringify(document) : stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
