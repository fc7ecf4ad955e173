export { createStripeSimulator, type StripeSimulator, type StripeSimulatorOptions } from './create-stripe-simulator.js';
export { signWebhook } from './sign-webhook.js';
