export { type GatewayConfig, loadGatewayConfig } from './config.js';
export { createGateway, type Gateway, type GatewayDeps } from './gateway.js';
