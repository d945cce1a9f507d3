import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { telemetryRoutes } from './routes.ts'

const path = '/DataCenter/ReportData'
let plant: Plant
let points: number[]
beforeAll(async () => {
  // Nothing here reads telemetry.
  plant = await startPlant({ routes: [(api) => telemetryRoutes(api, {} as Telemetry)] })
  points = (await plant.equip(3)).points
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
  // A group that has it keeps it: it is asked for by its Id.
  expect(await found(`ParaIds=${points[0]}`)).toEqual([points[0]])
  expect(await plant.kit.call('owner', 'GET', `${path}/PointList?Reports=3`)).toMatchObject({ StatusCode: 400 })
})

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
