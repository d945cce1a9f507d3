import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverActor } from '../../../../server/identity/actor.ts'
import type { Part } from '../../../analysis/reports/blocks.ts'
import { pastExcursions } from '../../excursions/server/service.ts'
import { startCold } from '../../rooms/server/cold.fixture.ts'
import { coldBlocks } from './reportBlocks.ts'
import { coldFigureRoutes } from './routes.ts'

const minute = 60_000
/** October in Madrid, in which summer time ends. */
const [start, end] = [Date.parse('2026-09-30T22:00:00Z'), Date.parse('2026-10-31T23:00:00Z')]
const now = end + 3_600_000
let cold: Awaited<ReturnType<typeof startCold>>
let room: { Id: number; ParaId: number }

beforeAll(async () => {
  cold = await startCold(() => now, [coldFigureRoutes])
  room = await cold.ready('Vaccines', '2026-09-01 00:00:00', { TempSet: 5 })
  // 5 °C but for an hour at 9.5 on the tenth day.
  const warm = start + 10 * 86_400_000
  const rows = Array.from({ length: (end - start) / (10 * minute) }, (_, i) => start + i * 10 * minute)
  await cold.load(rows.map((time) => ({ point: room.ParaId, time, value: time >= warm && time < warm + 60 * minute ? 9.5 : 5 })))
  await pastExcursions(cold.kit.database.system, { telemetry: cold.telemetry, now }, [room.Id])
})
afterAll(() => cold?.close())

const making = () => {
  const actor = { ...serverActor(cold.kit.enterprises.ours), UserId: 0 }
  const projects = [{ Id: cold.ProjectId, Name: 'Works' }]
  return { db: cold.kit.database.as(actor), actor, language: 'en' as const, zone: 'Europe/Madrid', span: { start, end }, now, projects }
}
type Table = Extract<Part, { Is: 'table' }>

it('a block says how each room ran in a month that is an hour longer than others', async () => {
  const { coldRooms } = coldBlocks({ telemetry: cold.telemetry })
  const [table] = (await coldRooms({ ...making(), title: 'Cold rooms' })) as [Table]
  expect(table).toMatchObject({ Is: 'table', Title: 'Cold rooms', More: 0 })
  const [name, band, low, mean, high, , , inBand, known, outside] = table.Rows[0]!
  expect([name, band, low, high, known, outside]).toEqual(['Vaccines', '2 … 8', 5, 9.5, 1, 60])
  expect(mean).toBeCloseTo(5 + 4.5 / (31 * 24 + 1), 3)
  expect(inBand).toBeCloseTo(1 - 1 / (31 * 24 + 1), 4)
  const longer = { ...making(), span: { start: start - 86_400_000, end } }
  expect(await coldRooms({ ...longer, title: 'Cold rooms' })).toMatchObject([{ Is: 'text', Text: expect.stringContaining('31') }])
  expect(await coldRooms({ ...making(), projects: [], title: 'Cold rooms' })).toMatchObject([{ Is: 'text' }])
})

it('a block lists the excursions of its time with what was decided', async () => {
  const { coldExcursions } = coldBlocks({ telemetry: cold.telemetry })
  const [figures, table] = (await coldExcursions({ ...making(), title: 'Excursions' })) as [Extract<Part, { Is: 'figures' }>, Table]
  expect(figures.Figures.map(({ Value }) => Value)).toEqual([1, 1])
  const [name, sensor, measures, side, begin, finish, minutes, peak, degrees, decision] = table.Rows[0]!
  expect([name, sensor, measures, side]).toEqual(['Vaccines', 'Vaccines air', 'Temperature', 'Above the band'])
  expect([begin, finish, minutes, peak, degrees, decision]).toEqual([
    ...[start + 10 * 86_400_000, start + 10 * 86_400_000 + 60 * minute, 60, 9.5, 90, 'None yet'],
  ])
  // Before it there is no room; the block of a project without rooms shows that.
  const before = { ...making(), span: { start, end: start + 86_400_000 } }
  expect((await coldExcursions({ ...before, title: 'Excursions' }))[1]).toMatchObject({ Rows: [] })
})

it('beside an excursion stands how long the door was open, from half an hour before it', async () => {
  const [row] = await cold.kit.db.rows<{ Id: number }>(sql`select "Id" from cold_excursion where "ColdStorageId" = ${room.Id}`)
  type Beside = { Start: number; End: number; Door: { Count: number; TotalS: number } | null; PowerCut: object | null }
  const ask = (as: string) => cold.kit.call<Beside>(as, 'GET', `/ColdStorage/Excursion/Beside?Id=${row!.Id}`)
  expect((await ask('owner')).Data).toMatchObject({ Door: null, PowerCut: null })
  const ParaId = await cold.point('Door', '', { ParaDataType: 0 })
  const bind = { ColdStorageId: room.Id, ParaId, SensorType: 3, BindTime: '2026-09-01 00:00:00' }
  await cold.kit.data('owner', 'POST', '/ColdStorage/Bind', bind)
  const warm = start + 10 * 86_400_000
  const states = [-40, -25, -20, -5].map((at, i) => ({ point: ParaId, time: warm + at * minute, value: i % 2 }))
  await cold.load([...states, { point: ParaId, time: warm + 10 * minute, value: 0 }])
  const { Start, End, Door } = (await ask('owner')).Data
  expect([Start, End]).toEqual([warm - 30 * minute, warm + 60 * minute])
  // Five minutes, and a quarter of an hour to 10 minutes after the begin.
  expect(Door).toMatchObject({ Count: 2, TotalS: 20 * 60 })
  expect(await ask('stranger')).toMatchObject({ StatusCode: 404 })
})

it('a room is looked at over the whole of such a month, and no longer', async () => {
  const ask = (Start: number) => cold.kit.call('owner', 'GET', `/ColdStorage/Statistics?ColdStorageId=${room.Id}&Start=${Start}&End=${end}`)
  expect((await ask(start)).Succeeded).toBe(true)
  expect((await ask(start - 1)).Succeeded).toBe(false)
})
