import { wallToEpoch } from '../../../../console/words/formats.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'

export const spanOfDays = (from: string, to: string) => ({
  start: wallToEpoch(`${from} 00:00:00`),
  end: wallToEpoch(`${dayOf(dayNumber(to) + 1)} 00:00:00`),
})
/** Links to the project's data status, where meter events are answered. */
export const eventsAt = (project: number | undefined, from: string, to: string) => {
  const { start, end } = spanOfDays(from, to)
  return `/dataAnalysis/dataStatus?${project === undefined ? '' : `project=${project}&`}from=${start}&to=${end}`
}
