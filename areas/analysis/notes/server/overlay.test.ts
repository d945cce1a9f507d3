import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import type { OverlayCount, OverlayItem } from '../contract.ts'
import { noteRoutes } from './routes.ts'

const path = '/DataCenter/ReportData/Overlay'
let plant: Plant
let points: number[]
let other: number
const start = Date.UTC(2026, 0, 1)
const at = (minute: number) => new Date(start + minute * 60_000)
type Answer = { Items: OverlayItem[]; Counts: OverlayCount[]; TotalCount: number; Step: number }
const ask = (body: object = {}, as = 'owner') =>
  plant.kit.data<Answer>(as, 'POST', path, { ParaIds: points, Start: start, End: start + 3_600_000, ...body })
const note = (body: object, as = 'owner') => plant.kit.call<{ Id: number; UserId: number }>(as, 'POST', '/DataCenter/ChartNote', body)
const lines = ({ Items }: Answer) => Items.map(({ Kind, Text }) => `${Kind} ${Text}`.trim())

beforeAll(async () => {
  plant = await startPlant({ routes: [noteRoutes] })
  const east = await plant.equip(2)
  points = east.points
  other = (await plant.equip(1)).points[0]!
  const enterprise = plant.kit.enterprises.ours
  const row = (await plant.row(east.Id)) as { ProjectId: number }
  const db = plant.kit.db
  const [{ DeviceId }] = (await db.rows<{ DeviceId: number }>(sql`select "DeviceId" from point where "Id" = ${points[0]}`)) as [
    { DeviceId: number },
  ]
  const alarm = (name: string, from: number, to: number | null, para: number | null) =>
    db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "ProjectId", "GatewayId", "DeviceId", "ParaId", "StartTime", "RecoverTime", "IsActive", "AlarmLevel")
    values (${enterprise}, ${name}, ${name}, ${row.ProjectId}, ${east.Id}, ${DeviceId}, ${para}, ${at(from)}, ${to === null ? null : at(to)}, ${to === null ? 1 : 0}, 3)`)
  await alarm('from before', -30, 5, points[0]!)
  await alarm('long over', -30, -10, points[0]!)
  await alarm('of another point', 10, null, other)
  await alarm('of the device', 20, null, null)
  await db.rows(sql`insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
    values (${enterprise}, ${east.Id}, 'e', 3, 2, 'line cut', ${at(30)})`)
  for (const [id, para, code] of [
    ['w1', points[1], 0],
    ['w2', other, 0],
    ['w3', points[1], 5],
  ] as const)
    await db.rows(sql`insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "Code", "SendTime", "Payload")
      values (${enterprise}, ${east.Id}, 'write', ${id}, ${code}, ${at(40)}, ${JSON.stringify({ ParaId: para, Value: 7, ParaName: 'Setpoint' })}::jsonb)`)
  await db.rows(sql`insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "PushTime", "Devices", "Points", "Note")
    values (${enterprise}, ${east.Id}, 4, 'h', 30, ${at(50)}, 1, 2, 'after the repair')`)
  const menus = permissions.filter((p) => p === 'm100' || p === 'm10301' || p.startsWith('m10314'))
  await plant.kit.person('looker', enterprise, { menus, projects: [row.ProjectId] })
  const elsewhere = (await plant.row((await plant.equip(1)).Id)) as { ProjectId: number }
  await plant.kit.person('elsewhere', enterprise, { menus, projects: [elsewhere.ProjectId] })
})
afterAll(() => plant.close())

test('alarms, events, values written, configurations and notes of points are one answer, in order of time', async () => {
  const made = await note({ ParaId: points[0], Time: '2026-01-01 00:55:00', Text: 'Cleaned' })
  expect(made).toMatchObject({ Succeeded: true, Data: { UserId: expect.any(Number) } })
  const answer = await ask()
  expect(lines(answer)).toEqual([
    ...['alarm from before', 'alarm of the device', 'event line cut', 'write Setpoint', 'config after the repair', 'note Cleaned'],
  ])
  expect(answer.Items[3]).toMatchObject({ Value: 7, ParaId: points[1], Time: at(40).getTime() })
  expect(answer.Items[5]).toMatchObject({ UserName: 'owner', ParaId: points[0] })
  expect(lines(await ask({ Kinds: ['note', 'config'] }))).toEqual(['config after the repair', 'note Cleaned'])
  expect((await note({ ParaId: points[0], Time: '2026-01-01 00:55:00', EndTime: '2026-01-01 00:50:00', Text: 'x' })).StatusCode).toBe(400)
})

test('people see the kinds whose screens they have, and nothing of points out of their sight', async () => {
  expect(lines(await ask({}, 'looker'))).toEqual(['note Cleaned'])
  expect(await plant.kit.call('elsewhere', 'POST', path, { ParaIds: points, Start: start, End: start + 1000 })).toMatchObject({
    StatusCode: 404,
  })
  expect((await note({ ParaId: points[0], Time: '2026-01-01 00:55:00', Text: 'x' }, 'elsewhere')).Succeeded).toBe(false)
})

test('a kind of which there are too many is counted by step, the others are listed', async () => {
  await plant.kit.db.rows(sql`
    insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
    select "EnterpriseId", "GatewayId", 'many' || n, 3, 1, 'many', "Time" + n * interval '1 millisecond'
    from gateway_event, generate_series(1, 600) n where "MsgId" = 'e'`)
  const { Items, Counts, TotalCount } = await ask()
  expect(Items.some(({ Kind }) => Kind === 'event')).toBe(false)
  expect(Items.length).toBeGreaterThanOrEqual(5)
  expect(Counts).toEqual([{ Kind: 'event', Time: at(30).getTime(), Count: 601 }])
  expect(TotalCount).toBe(Items.length + 601)
})
