import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { flowchartRoutes } from '../../flowcharts/server/routes.ts'
import { flowchartTemplateRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      pointRoutes,
      (api) =>
        flowchartRoutes(api, {
          query: undefined as never,
          latest: new Map() as never,
          write: () => Promise.reject(new Error('nothing is written here')),
          pulse: undefined as never,
          clock: Date.now,
        }),
      flowchartTemplateRoutes,
    ],
  })
  make = maker(kit)
})
afterAll(() => kit.close())

const path = '/Project/Ddt/Flowchart'
const templates = '/Project/Ddt/FlowChartTemplate'

it('a picture of one pump becomes a template, and with it a picture of another pump', async () => {
  const first = (await make.create(devices, { DeviceName: 'Pump 1' })) as Row
  const second = (await make.create(devices, { DeviceName: 'Pump 2', GatewayId: first.GatewayId as number })) as Row
  const [a, b] = (await Promise.all([first, second].map(({ Id }) => make.create(points, { DeviceId: Id, ParaName: 'Speed' })))) as [
    Row,
    Row,
  ]
  const { ProjectId } = await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${first.GatewayId}`)
  const drawn = await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Pump 1', ProjectId })
  const Scene = { ...emptyScene(), items: [{ kind: 'value', id: 'v', x: 0, y: 0, w: 80, h: 30, size: 16, of: `#${a.Id} * 2` }] }
  await kit.data('owner', 'POST', `${path}/Save`, { Id: drawn.Id, Scene })
  const template = await kit.data<Row>('owner', 'POST', templates, { TemplateName: 'Pump', FlowchartId: drawn.Id })
  const made = await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Pump 2', ProjectId, FlowChartTemplateId: template.Id })
  const open = (Parameters?: object) =>
    kit.data<{ Scene: typeof Scene; Named: object }>('owner', 'POST', `/V3${path}/Detail`, { Id: made.Id, Draft: true, Parameters })
  expect(await open()).toMatchObject({
    Scene: { items: [{ of: '{Pump 1.Speed} * 2' }], parameters: [{ name: 'Pump 1', type: 'device', value: first.Id }] },
  })
  expect((await open([{ Name: 'Pump 1', Value: second.Id }])).Named).toEqual({ '{Pump 1.Speed}': b.Id })
  await kit.data('owner', 'DELETE', path, { Id: drawn.Id })
  expect(await kit.data('owner', 'GET', `${templates}?Id=${template.Id}`)).toMatchObject({ FlowchartId: null })
})

it('a category that has templates is not removed', async () => {
  const menu = await kit.data<Row>('owner', 'POST', '/Project/Ddt/FlowChartTemplateMenu', { MenuName: 'Pumps' })
  const { Items } = await kit.data<{ Items: Row[] }>('owner', 'GET', `${templates}/List`)
  await kit.data('owner', 'PUT', templates, { Id: Items[0]!.Id, MenuId: menu.Id })
  expect(await kit.call('owner', 'DELETE', '/Project/Ddt/FlowChartTemplateMenu', { Id: menu.Id })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'flowChartTemplate' }] },
  })
})

it('[tenant-own-enterprise] templates of pictures are those of one’s own company, and a new one belongs to it', async () => {
  const listed = async (as: string, query = '') => (await kit.data<{ Items: Row[] }>(as, 'GET', `${templates}/List?${query}`)).Items
  const own = await listed('owner')
  expect(own.length).toBeGreaterThan(0)
  expect(own.every(({ EnterpriseId }) => EnterpriseId === kit.enterprises.ours)).toBe(true)
  expect(await listed('stranger')).toEqual([])
  expect(await listed('owner', `EnterpriseId=${kit.enterprises.theirs}`)).toEqual([])
  const { Id: ProjectId } = await maker(kit, 'stranger').create(projects)
  const drawn = await kit.data<Row>('stranger', 'POST', path, { FlowchartName: 'Theirs', ProjectId })
  const made = await kit.data<Row>('stranger', 'POST', templates, { TemplateName: 'Theirs', FlowchartId: drawn.Id })
  expect(made.EnterpriseId).toBe(kit.enterprises.theirs)
})
