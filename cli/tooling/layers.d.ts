export declare const GATEWAY_LAYERS: readonly (readonly string[])[];
export declare const REST_LAYERS: readonly (readonly string[])[];
export declare function drawLayers(): string;
