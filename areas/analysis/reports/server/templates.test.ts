import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import type { TemplateVersion } from '../contract.ts'
import type { Reader } from './build.ts'
import { reportTemplateRoutes } from './routes.ts'

let plant: Plant
let [template, group] = [0, 0]
const data = <T>(method: string, path: string, body?: unknown) => plant.kit.data<T>('owner', method, `/DataCenter/${path}`, body)
const call = (method: string, path: string, body?: unknown, as = 'owner') =>
  plant.kit.call<unknown>(as, method, `/DataCenter/${path}`, body)
const versions = () => data<TemplateVersion[]>('GET', `ReportTemplate/Versions?Id=${template}`)
const change = (body: object) => data('PUT', 'ReportTemplate', { Id: template, ...body })

beforeAll(async () => {
  // Nothing here reads telemetry.
  plant = await startPlant({ routes: [reportGroupRoutes, (api) => reportTemplateRoutes(api, {} as Reader)] })
  const { points } = await plant.equip(1)
  const groupOf = (GroupName: string) =>
    data<{ Id: number }>('POST', 'ReportGroup', { GroupName, GroupType: 3, Points: [{ ParaId: points[0] }] })
  group = (await groupOf('Pumps')).Id
  const draft = { TemplateName: 'Daily', GroupId: group, Period: 'day', Blocks: [{ Type: 'keyFigures' }] }
  template = (await data<{ Id: number }>('POST', 'ReportTemplate', draft)).Id
})
afterAll(() => plant?.close())

test('what a template was is kept, looked at and restored, and what it is now is not lost by that', async () => {
  expect(await versions()).toEqual([])
  await change({ Blocks: [{ Type: 'io' }, { Type: 'pageBreak' }], Landscape: 1, Paper: 'A5' })
  await change({ TemplateName: 'Daily' })
  await change({ Heading: 'Of {from}' })
  expect((await versions()).map((v) => [v.Version, v.Paper, v.Landscape, v.Blocks.length, v.Heading, v.UserName])).toEqual([
    [2, 'A5', 1, 2, null, 'owner'],
    [1, 'auto', 0, 1, null, 'owner'],
  ])
  await data('POST', 'ReportTemplate/Restore', { Id: template, Version: 1 })
  expect(await data('GET', `ReportTemplate?Id=${template}`)).toMatchObject({
    Blocks: [{ Type: 'keyFigures' }],
    ...{ Paper: 'auto', Landscape: 0 },
    Heading: null,
  })
  expect((await versions())[0]).toMatchObject({ Version: 3, Paper: 'A5', Landscape: 1, Heading: 'Of {from}' })
})

test('versions of others are 404, missing ones, too, and the last fifty stay', async () => {
  for (const body of [
    { Id: template, Version: 1 },
    { Id: template, Version: 99 },
  ])
    expect(await call('POST', 'ReportTemplate/Restore', body, body.Version === 1 ? 'stranger' : 'owner')).toMatchObject({ StatusCode: 404 })
  expect(await call('GET', `ReportTemplate/Versions?Id=${template}`, undefined, 'stranger')).toMatchObject({ StatusCode: 404 })
  for (let i = 0; i < 52; i++) await change({ Heading: `Number ${i}` })
  const kept = await versions()
  expect([kept.length, kept[0]!.Version, kept.at(-1)!.Version]).toEqual([50, 55, 6])
})

test('paper that the product does not know is refused', async () => {
  const draft = { TemplateName: 'Wide', GroupId: group, Period: 'day', Blocks: [], Paper: 'B4' }
  expect(Object.keys((await call('POST', 'ReportTemplate', draft)).Details?.Fields ?? {})).toEqual(['Paper'])
})

test('parts of a file that the product does not know are refused by their place', async () => {
  const refused = async (Blocks: object[]) =>
    Object.keys(
      (await call('POST', 'ReportTemplate', { TemplateName: 'Taken over', GroupId: group, Period: 'day', Blocks })).Details?.Fields ?? {},
    )
  expect((await refused([{ Type: 'io' }, { Type: 'keyFigures', ParaIds: [1] }]))[0]).toMatch(/^Blocks\.1/)
  expect((await refused([{ Type: 'io' }, { Type: 'io' }, { Type: 'script' }]))[0]).toMatch(/^Blocks\.2/)
})
