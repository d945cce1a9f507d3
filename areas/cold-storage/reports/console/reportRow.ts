import type { Shown } from '../../../../console/kernel/api.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import type { coldReport } from '../contract.ts'

export type ReportRow = Shown<typeof coldReport>

export const resultStates: Readonly<Record<number, Condition>> = { 0: 'notice', 1: 'normal', 2: 'alarm', 3: 'warning' }
export const reportStates: Readonly<Record<number, Condition>> = { 0: 'notice', 1: 'notice', 2: 'normal', 3: 'warning' }
