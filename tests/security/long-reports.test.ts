// Templates, charts and analytics may request millions of figures: every hour of a year, for many points.
import { expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { latenessOf } from './least.ts'

const own = ownServer()
const lateness = latenessOf(own)
type Part = { Is: string; Text?: string; Rows?: unknown[][]; More?: number; Curves?: { Value: unknown[] }[] }
const cellsOf = (parts: readonly Part[]) =>
  parts.reduce(
    (sum, { Rows = [], Curves = [] }) =>
      sum + Rows.reduce((n, row) => n + row.length, 0) + Curves.reduce((n, { Value }) => n + Value.length, 0),
    0,
  )

test('a report holds what can be read, a longer one is refused by its part, and nobody waits while it is put together', async () => {
  const { door } = own
  const { device, project } = await door.newGateway('LONGREPORT01', 1)
  const points: number[] = []
  for (let n = 0; n < 60; n++) {
    const { Id } = await door.data('POST', '/Project/DevPara', { DeviceId: device, ParaName: `Point ${n}`, Address: String(n) })
    points.push(Id)
  }
  const group = { GroupName: 'All', ProjectId: project, Points: points.map((ParaId) => ({ ParaId })) }
  const { Id: GroupId } = await door.data('POST', '/DataCenter/ReportGroup', group)
  let isOver = false
  let slowest = 0
  const others = (async () => {
    while (!isOver) {
      const began = performance.now()
      await door.call(door.admin, 'GET', '/Project/Project/List')
      slowest = Math.max(slowest, performance.now() - began)
    }
  })()
  const preview = (Blocks: object[]) =>
    door.data<{ Parts: Part[] }>('POST', '/DataCenter/ReportTemplate/Preview', { GroupId, Period: 'year', Blocks, Language: 'en' })
  const many = (block: object) => Array.from({ length: 10 }, () => block)
  const refusals: unknown[] = []
  for (const Unit of ['hour', 'day']) {
    const body = { GroupId, Period: 'year', Blocks: many({ Type: 'timeTable', Unit }), Language: 'en' }
    const { StatusCode, Details } = await door.call(door.admin, 'POST', '/DataCenter/ReportTemplate/Preview', body)
    refusals.push([StatusCode, Details?.Fault, Object.keys(Details?.Fields ?? {})])
  }
  const tables = await preview(many({ Type: 'timeTable', Unit: 'month' }))
  const curves = await preview(many({ Type: 'curve' }))
  isOver = true
  await others
  // Hours of a year are too many in the first part, days in the fifth.
  expect(refusals).toEqual([
    [400, 'reportTooLong', ['Blocks.0.Type']],
    [400, 'reportTooLong', ['Blocks.4.Type']],
  ])
  expect(tables.Parts[1]).toMatchObject({ Is: 'table', More: 0 })
  expect([cellsOf(tables.Parts), cellsOf(curves.Parts)].map((cells) => cells <= 100_000)).toEqual([true, true])
  expect(slowest).toBeLessThan(5000)
  const [, text] = (await preview([{ Type: 'text', Text: '{devices}'.repeat(400) }])).Parts
  expect(text!.Text!.length).toBeLessThan(400 * 310)
}, 400_000)

test('nobody waits while days and hours of many years are worked out for many points', async () => {
  const { door } = own
  const { device } = await door.newGateway('LONGYEARS001', 1)
  const points: number[] = []
  for (let n = 0; n < 50; n++) {
    const { Id } = await door.data('POST', '/Project/DevPara', { DeviceId: device, ParaName: `Year ${n}`, Address: String(n) })
    points.push(Id)
  }
  const End = Date.now()
  const days = { ParaIds: points, Start: Date.UTC(2000, 0, 1), End }
  const hours = `ParaIds=${points.slice(0, 20)}&Start=${End - 2080 * 86_400_000}&End=${End}`
  const answers: Record<string, unknown> = {}
  const asked = async () => {
    answers.days = (await door.data<{ Series: unknown[] }>('POST', '/DataCenter/ReportData/CalculateDayData', days)).Series.length
    answers.rules = await door.data('GET', `/apriori/Apriori?${hours}`)
  }
  expect(await lateness(400, asked)).toBeLessThan(400)
  expect(answers).toEqual({ days: 50, rules: [] })
}, 400_000)
