import type { Condition } from '../../../../console/theme/State.tsx'

export const statusConditions: Record<number, Condition> = { 0: 'warning', 1: 'notice', 3: 'offline', 4: 'notice', 6: 'offline' }
export const urgencyConditions: Record<number, Condition> = { 2: 'warning', 3: 'alarm' }
