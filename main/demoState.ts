import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { demoPoints } from '../areas/configuration/demo/server/history.ts'
import { demoPlant } from '../contract/demo-plant.ts'
import type { Started } from './start.ts'

/** Resumes a plant without saved state from its latest readings. */
export const handOver = async (file: string, { database, telemetry }: Pick<Started, 'database' | 'telemetry'>, gateway: number) => {
  if (existsSync(file)) return
  const points = await demoPoints(database, gateway)
  const names = demoPlant.flatMap(({ DeviceName, Points }) => Points.map((p) => ({ name: `${DeviceName}/${p.ParaName}`, p })))
  const read = names.flatMap(({ name, p }, i) => {
    const latest = points[i] === undefined ? undefined : telemetry.latest.get(points[i])
    return latest?.value == null ? [] : [{ name, p, value: latest.value, seconds: latest.time / 1000 }]
  })
  const of = (some: typeof read) => Object.fromEntries(some.map(({ name, value }) => [name, value]))
  if (!read.length) return
  const seconds = Math.max(...read.map((r) => r.seconds))
  const state = {
    seconds,
    totals: of(read.filter(({ p }) => p.ReadWriteType === 0)),
    settings: of(read.filter(({ p }) => p.RegisterType === 4)),
  }
  await writeFile(file, JSON.stringify(state))
}
