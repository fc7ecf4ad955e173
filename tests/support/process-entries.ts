/** The compiled entries of the six processes, from the repository's root, and the setting of each one's port. */
export const processEntries = {
  gateway: { module: 'gateway/dist/main.js', portName: 'PORT' },
  auth: { module: 'services/auth/dist/main.js', portName: 'AUTH_PORT' },
  user: { module: 'services/user/dist/main.js', portName: 'USER_PORT' },
  payment: { module: 'services/payment/dist/main.js', portName: 'PAYMENT_PORT' },
  'payment-processor': { module: 'services/payment/dist/processor.main.js', portName: 'PROCESSOR_PORT' },
  mailer: { module: 'services/mailer/dist/main.js', portName: 'MAILER_PORT' },
} as const;

export type ProcessName = keyof typeof processEntries;
export const processNames = Object.keys(processEntries) as ProcessName[];
