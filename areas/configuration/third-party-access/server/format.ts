// Readings as others read them.
import { asLines } from '../contract.ts'

export type SentReading = { ParaId: number; Device: string; Name: string; Time: number; Value: number; Quality: number }

const escaped = (text: string) => text.replace(/[\r\n\t]/g, ' ').replace(/[\\, =]/g, '\\$&')
/** A line of InfluxDB, with its time in nanoseconds. */
const line = (project: string, { ParaId, Device, Name, Time, Value, Quality }: SentReading) =>
  `penstock,project=${escaped(project)},device=${escaped(Device)},point=${escaped(Name)},id=${ParaId} value=${Value},quality=${Quality}i ${Time}000000`

export const bodyOf = (format: number, { Id, ProjectName }: { Id: number; ProjectName: string }, readings: readonly SentReading[]) =>
  format === asLines
    ? { type: 'text/plain; charset=utf-8', body: readings.map((reading) => line(ProjectName, reading)).join('\n') }
    : { type: 'application/json', body: JSON.stringify({ AccessId: Id, Project: ProjectName, Readings: readings }) }
