// For other kinds of planned orders.
export type { Kind } from './kind.ts'
export { makeDue } from './making.ts'
export { planRoutes } from './routes.ts'
export { startPlans } from './start.ts'
