import { DayInput } from './DayInput.tsx'

export const inputs = { ValidFrom: DayInput }
