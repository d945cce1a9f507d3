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
