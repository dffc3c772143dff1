import { gatewayConfig } from '../../../gateway/config/sections.ts';

/** Limits of an empty configuration. */
export const DEFAULT_LIMITS = gatewayConfig.parse({}).limits;
