// Formats of readings for external systems.
import { asLines } from '../contract.ts'

export type SentPoint = { Id: number; DeviceName: string; ParaName: string; Address: string }
/** Minimum and maximum of an interval; its value is the mean. */
export type Spread = { min: number; max: number }
export type SentReading = { point: SentPoint; time: number; value: number | null; quality: number; spread?: Spread }
export type Named = { Id: number; ProjectName: string; Format: number; NameRule: string | null }

const blanks = /\{(project|device|point|address|id)\}/g
/** The external name of a point. */
export const nameOf = (
  { NameRule, ProjectName }: Pick<Named, 'NameRule' | 'ProjectName'>,
  { Id, DeviceName, ParaName, Address }: SentPoint,
  usual = '{point}',
) => {
  const values: Record<string, string> = { project: ProjectName, device: DeviceName, point: ParaName, address: Address, id: String(Id) }
  return (NameRule || usual).replace(blanks, (_, blank: string) => values[blank] ?? '')
}

const escaped = (text: string) => text.replace(/[\r\n\t]/g, ' ').replace(/[\\, =]/g, '\\$&')
/** An InfluxDB line, with its time in nanoseconds. */
const line = (of: Named, { point, time, value, quality, spread }: SentReading) =>
  `penstock,project=${escaped(of.ProjectName)},device=${escaped(point.DeviceName)},point=${escaped(nameOf(of, point))},id=${point.Id} ${value === null ? '' : `value=${value},`}${spread ? `min=${spread.min},max=${spread.max},` : ''}quality=${quality}i ${time}000000`

const jsonOf = (of: Named, readings: readonly SentReading[]) =>
  JSON.stringify({
    ...{ AccessId: of.Id, Project: of.ProjectName },
    Readings: readings.map(({ point, time, value, quality, spread }) => ({
      ...{ ParaId: point.Id, Device: point.DeviceName, Name: nameOf(of, point), Time: time, Value: value, Quality: quality },
      ...(spread && { Min: spread.min, Max: spread.max }),
    })),
  })

export const bodyOf = (of: Named, readings: readonly SentReading[]) =>
  of.Format === asLines
    ? { type: 'text/plain; charset=utf-8', body: readings.map((reading) => line(of, reading)).join('\n') }
    : { type: 'application/json', body: jsonOf(of, readings) }
