import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { analysisCalls } from '../contract.ts'
import { telemetryRoutes } from './routes.ts'

const path = '/DataCenter/ReportData'
let plant: Plant
let points: number[]
let deviceId = 0
beforeAll(async () => {
  // Nothing here reads telemetry.
  plant = await startPlant({ routes: [(api) => telemetryRoutes(api, {} as Telemetry)] })
  const at = await plant.equip(3)
  points = at.points
  deviceId = at.device
})
afterAll(() => plant?.close())

const found = async (query: string) =>
  (await plant.kit.data<{ Items: ParaInfo[] }>('owner', 'GET', `${path}/PointList?${query}`)).Items.map((p) => p.ParaId)

test('reports are offered the points that do not hide from them, and those that they preselect alone', async () => {
  const show = (Id: number, IsReportShow: number) => plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id, IsReportShow })
  await show(points[0]!, 0)
  await show(points[1]!, 2)
  expect(await found('Reports=1')).toEqual(points.slice(1))
  expect(await found('Reports=2')).toEqual([points[1]])
  // Groups keep hidden points, so lookups by Id still find them.
  expect(await found(`ParaIds=${points[0]}`)).toEqual([points[0]])
  expect(await plant.kit.call('owner', 'GET', `${path}/PointList?Reports=3`)).toMatchObject({ StatusCode: 400 })
})

test('states are points of type Bool and those whose values are states, of all that the caller sees, a project or a device', async () => {
  const { kit } = plant
  const states = async (query = '', as = 'owner') =>
    (await kit.data<ParaInfo[]>(as, 'GET', `${path}/DevBoolParaInfo${query}`)).map((p) => p.ParaId)
  expect(await states()).toEqual([])
  await kit.db.rows(sql`update point set "ParaDataType" = 0 where "Id" = ${points[1]!}`)
  await kit.db.rows(
    sql`insert into point_meaning ("EnterpriseId", "PointId", "CalDataType") select "EnterpriseId", "Id", 3 from point where "Id" = ${points[2]!}`,
  )
  expect(await states()).toEqual(points.slice(1))
  const other = await plant.equip(1)
  await kit.db.rows(sql`update point set "ParaDataType" = 0 where "Id" = ${other.points[0]!}`)
  const { ProjectId } = (await plant.row(other.Id)) as { ProjectId: number }
  expect([await states(`?ProjectId=${ProjectId}`), await states(`?DeviceId=${other.device}`)]).toEqual([other.points, other.points])
  await kit.person('eastern', kit.enterprises.ours, { projects: [ProjectId] })
  expect([await states('', 'eastern'), await states('', 'stranger')]).toEqual([other.points, []])
  for (const as of ['eastern', 'stranger'])
    expect(await kit.call(as, 'GET', `${path}/DevBoolParaInfo?DeviceId=${deviceId}`)).toMatchObject({ StatusCode: 404 })
  await kit.db.rows(sql`delete from point where "Id" = ${other.points[0]!}`)
  await kit.db.rows(sql`update point set "ParaDataType" = 7 where "Id" = ${points[1]!}`)
  await kit.db.rows(sql`delete from point_meaning where "PointId" = ${points[2]!}`)
})

test('the calls for charts are reached with the code of any screen that shows readings, and with no other', async () => {
  const { kit } = plant
  const all: Call[] = [...Object.values(analysisCalls), ...Object.values(telemetryCalls)]
  const calls = all.filter(({ alsoBy }) => alsoBy)
  expect(calls.length).toBeGreaterThan(15)
  const codes = [...new Set(calls.flatMap(({ permission, alsoBy = [] }) => [permission, ...alsoBy]))]
  for (const code of codes) {
    await kit.person(code, kit.enterprises.ours, { menus: ['m100', code] })
    expect(await kit.call(code, 'GET', `${path}/DevParaInfo?DeviceIds=${deviceId}`), code).toMatchObject({ StatusCode: 200 })
  }
  // What he does not see is not there, whichever screen he has, and buttons stay those of their screens.
  await kit.person('elsewhere', kit.enterprises.ours, { menus: ['m100', 'm10318'], projects: [] })
  expect(await kit.call('elsewhere', 'GET', `${path}/DevParaInfo?DeviceIds=${deviceId}`)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('m10318', 'POST', `${path}/CalDataType/${points[0]}/2`, {})).toMatchObject({ StatusCode: 403 })
  await kit.person('others', kit.enterprises.ours, { menus: permissions.filter((code) => !codes.includes(code.split('.')[0]!)) })
  for (const { method, path: at } of calls)
    expect(await kit.call('others', method, at, method === 'POST' ? {} : undefined), at).toMatchObject({ StatusCode: 403 })
})

const ofSeries = ['Data', 'MinData', 'HourData', 'DayData', 'CalculateData', 'CalculateMinData', 'CalculateHourData', 'CalculateDayData']
test.each([...ofSeries, 'RawData', 'IOData', 'Distribution', 'StaticsData', 'PointMeaning'])(
  '%s refuses a range that ends before it starts, too many points and points that are not there, before it reads',
  async (name) => {
    const { kit } = plant
    const asked = async (body: { ParaIds?: readonly number[]; Start?: number; End?: number; Buckets?: number }, as = 'owner') => {
      const { ParaIds = points, ...more } = { Start: 0, End: 3_600_000, ...body }
      const query = `?${name === 'PointMeaning' ? 'ParaId' : 'ParaIds'}=${ParaIds}&Start=${more.Start}&End=${more.End}`
      const answer = ['StaticsData', 'PointMeaning'].includes(name)
        ? await kit.call(as, 'GET', `${path}/${name}${query}`)
        : await kit.call(as, 'POST', `${path}/${name}`, { ParaIds, ...more })
      return [answer.StatusCode, ...Object.keys(answer.Details?.Fields ?? {})]
    }
    const one = [points[0]!]
    expect(await asked({ ParaIds: one, Start: 1, End: 0 })).toEqual([400, 'End'])
    expect(await asked({ ParaIds: one, Start: 1, End: 1 })).toEqual([400, 'End'])
    expect(await asked({ ParaIds: one }, 'stranger')).toEqual([404])
    const [gone] = (await plant.equip(1)).points
    await kit.data('owner', 'DELETE', `/Project/DevPara?Ids=${gone}`)
    expect(await asked({ ParaIds: [gone!] })).toEqual([404])
    if (name !== 'PointMeaning') {
      expect(await asked({ ParaIds: [points[0]!, gone!] })).toEqual([404])
      expect(await asked({ ParaIds: Array.from({ length: 101 }, (_, i) => i + 1) })).toEqual([400, 'ParaIds'])
    }
    if (name === 'Data' || name === 'CalculateData') expect(await asked({ Buckets: 0 })).toEqual([400, 'Buckets'])
  },
)

test('a list of more points than an answer holds says how many there are, and is narrowed by project or by Ids', async () => {
  const all = `${path}/AllDevParaInfo`
  const few = await plant.kit.request('owner', 'GET', all)
  expect([few.headers['x-total-count'], JSON.parse(few.body).Data.length]).toEqual([undefined, points.length])
  await plant.kit.db.rows(sql`
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "ParaDataType", "RegisterType", "Address")
    select p."EnterpriseId", p."DeviceId", 'Many ' || g, p."ParaDataType", p."RegisterType", g::text from point p, generate_series(1, 10000) g where p."Id" = ${points[0]!}`)
  const many = await plant.kit.request('owner', 'GET', all)
  expect([many.statusCode, many.headers['x-total-count'], JSON.parse(many.body).Data.length]).toEqual([200, '10003', 10_000])
  const [{ ProjectId } = { ProjectId: 0 }] = await plant.kit.db.rows<{ ProjectId: number }>(
    sql`select g."ProjectId" from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId" where p."Id" = ${points[0]!}`,
  )
  expect((await plant.kit.request('owner', 'GET', `${all}?ProjectId=${ProjectId}`)).headers['x-total-count']).toBe('10003')
  const some = await plant.kit.request('owner', 'GET', `${all}?ParaIds=${points[2]},${points[0]},999999999`)
  const ids = (JSON.parse(some.body).Data as ParaInfo[]).map((p) => p.ParaId)
  expect([ids, some.headers['x-total-count']]).toEqual([[points[0], points[2]], undefined])
  expect(await plant.kit.call('stranger', 'GET', `${all}?ParaIds=${points}`)).toMatchObject({ Data: [] })
})
