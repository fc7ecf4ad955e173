export type { PaymentOptions } from './compose.js';
export { loadPaymentConfig, type PaymentConfig } from './config.js';
export { paymentModels } from './models/payment-models.js';
export { createPayment } from './payment.js';
export { createPaymentProcess, createPaymentProcessorProcess, loadPaymentProcessConfig } from './payment-process.js';
export { createPaymentProcessor, type PaymentProcessor } from './payment-processor.js';
export type { PaymentProvider } from './payment-provider.js';
export { createStripeProvider, type StripeProviderOptions } from './payment-provider.stripe.js';
export { SIMULATOR_KEY } from './provider-config.js';
