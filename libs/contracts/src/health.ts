import { z } from 'zod';

/** `ok`; `degraded`: works, but something it leans on is away (broker, SMTP, provider); `down`: cannot serve. */
export const healthStatus = z.enum(['ok', 'degraded', 'down']);
export type HealthStatus = z.output<typeof healthStatus>;

export const healthCheck = z.object({ status: healthStatus, detail: z.string().optional() });
export type HealthCheck = z.output<typeof healthCheck>;

/** What one process says of itself. */
export const serviceHealth = z.object({ status: healthStatus, checks: z.record(z.string(), healthCheck) });
export type ServiceHealth = z.output<typeof serviceHealth>;

/** What the gateway says of the whole system. */
export const systemHealth = z.object({ status: healthStatus, services: z.record(z.string(), serviceHealth) });
export type SystemHealth = z.output<typeof systemHealth>;
