// Interface for other kinds of planned orders.
export { type Kind, upkeep } from './kind.ts'
export { makeDue, makeOfPlan } from './making.ts'
export { plannedOrders } from './planned.ts'
export { plansOf, setPlanStatus } from './planning.ts'
export { planRoutes } from './routes.ts'
export { startPlans } from './start.ts'
export { finish, start } from './work.ts'
