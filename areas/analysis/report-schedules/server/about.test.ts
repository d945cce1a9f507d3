// What a report is about: a group, a project, a device, or the devices of a model, with the points that are there when it is made.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { ReportDocument } from '../../reports/blocks.ts'
import type { TemplateVersion } from '../../reports/contract.ts'
import { start, startReports } from './reports.fixture.ts'

const day = 86_400_000
let now = start + day
let at: Awaited<ReturnType<typeof startReports>>
let [project, first, second, model, standard] = [0, 0, 0, 0, 0]
let pump = 0

const rows = <T>(query: ReturnType<typeof sql<T>>) => at.plant.kit.db.rows(query as never) as Promise<T[]>
const preview = (about: object, as = 'owner') =>
  at.plant.kit.call<ReportDocument>(as, 'POST', '/DataCenter/ReportTemplate/Preview', {
    ...{ Period: 'day', Language: 'en', Blocks: [{ Type: 'coverage' }] },
    ...about,
  })
/** How many points a preview is about, or which fields are refused. */
const seen = async (about: object, as = 'owner') => {
  const { StatusCode, Data, Details } = await preview(about, as)
  return StatusCode === 200 ? Data.Points : StatusCode === 400 ? Object.keys(Details?.Fields ?? {}) : StatusCode
}
const nextDay = () => {
  now += day
  return at.runs.tick()
}
const lastOf = async (schedule: number) =>
  (
    await rows(
      sql<{ Status: number; Reason: string | null; ParaIds: number[] }>`
      select "Status", "Reason", "ParaIds" from report_run where "ScheduleId" = ${schedule} order by "Id" desc limit 1`,
    )
  )[0]!
const addPoint = (DeviceId: number, Address: string, more: object = {}) =>
  at.plant.create(point, { DeviceId, Address, ...more }).then(({ Id }) => Id)

beforeAll(async () => {
  at = await startReports({ clock: () => now })
  const { plant, points } = at
  const [of] = await rows(
    sql<{ ProjectId: number; GatewayId: number; DeviceId: number; NetProtocolId: number; EnterpriseId: number }>`
      select g."ProjectId", g."Id" as "GatewayId", d."Id" as "DeviceId", d."NetProtocolId", d."EnterpriseId"
      from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId" where p."Id" = ${points[0]}`,
  )
  project = of!.ProjectId
  first = of!.DeviceId
  const { GatewayId, NetProtocolId, EnterpriseId } = of!
  second = (await plant.create(device, { GatewayId, NetProtocolId, CommType: 0, SlaveNumber: 2 })).Id
  pump = await addPoint(second, '0', { ParaName: 'Supply pressure' })
  const [made] = await rows(
    sql<{ Id: number }>`insert into pro_model ("EnterpriseId", "ModelName") values (${EnterpriseId}, 'Pump') returning "Id"`,
  )
  model = made!.Id
  await rows(sql`update device set "ModelId" = ${model} where "Id" = ${second}`)
  const [common] = await rows(
    sql<{
      Id: number
    }>`insert into standard_para ("EnterpriseId", "Code", "NameEn") values (${EnterpriseId}, 'level.tank', 'Level') returning "Id"`,
  )
  standard = common!.Id
  await rows(sql`update point set "StandardParaId" = ${standard} where "Id" = ${points[0]}`)
})
afterAll(() => at?.close())

test('a report is about a project, a device, or the devices of a model, narrowed by names and a standard parameter', async () => {
  expect(await seen({ About: 'project', ProjectId: project })).toBe(3)
  expect(await seen({ About: 'device', DeviceId: first })).toBe(2)
  expect(await seen({ About: 'model', ProjectId: project, ModelId: model })).toBe(1)
  expect(await seen({ About: 'project', ProjectId: project, PointSearch: 'supply PRESSURE' })).toBe(1)
  expect(await seen({ About: 'project', ProjectId: project, StandardParaId: standard })).toBe(1)
  await at.plant.kit.data('owner', 'PUT', point.path, { Id: at.points[1], IsReportShow: 0 })
  expect(await seen({ About: 'device', DeviceId: first })).toBe(1)
  await at.plant.kit.data('owner', 'PUT', point.path, { Id: at.points[1], IsReportShow: 1 })
})

test('a choice that lacks a field, or has no points, is refused by its field, and what others own is not found', async () => {
  expect(await seen({})).toEqual(['GroupId'])
  expect(await seen({ About: 'model', ModelId: model })).toEqual(['ProjectId'])
  expect(await seen({ About: 'project', ProjectId: project, PointSearch: 'no such point' })).toEqual(['ProjectId'])
  await at.plant.kit.person('elsewhere', at.plant.kit.enterprises.ours, { menus: permissions, projects: [] })
  for (const as of ['stranger', 'elsewhere'])
    expect([
      await seen({ About: 'project', ProjectId: project }, as),
      await seen({ About: 'device', DeviceId: first }, as),
      await seen({ About: 'model', ProjectId: project, ModelId: model }, as),
    ]).toEqual([404, 404, 404])
  // Also one that the choice has no use for.
  expect(await seen({ About: 'device', DeviceId: first, ProjectId: 999_999_999 })).toBe(404)
})

test('a schedule is about its template or something else, with the points that are there when its report is made', async () => {
  const { data, template, points } = at
  const make = (given: object) =>
    data<{ Id: number }>('POST', 'ReportSchedule', { ReportTemplateId: template, Format: 'csv', ...given }).then(({ Id }) => Id)
  const byTemplate = await make({ ScheduleName: 'As the template' })
  const byDevice = await make({ ScheduleName: 'A device', About: 'device', DeviceId: second })
  expect(await nextDay()).toEqual({ made: 2, failed: 0 })
  expect([(await lastOf(byTemplate)).ParaIds, (await lastOf(byDevice)).ParaIds]).toEqual([points, [pump]])
  const added = await addPoint(second, '2')
  await nextDay()
  expect([(await lastOf(byTemplate)).ParaIds, (await lastOf(byDevice)).ParaIds]).toEqual([points, [pump, added]])
  await rows(sql`
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "ParaDataType", "RegisterType", "Address")
    select p."EnterpriseId", p."DeviceId", 'Many ' || g, p."ParaDataType", p."RegisterType", g::text from point p, generate_series(100, 198) g where p."Id" = ${pump}`)
  expect(await seen({ About: 'device', DeviceId: second })).toEqual(['DeviceId'])
  const refused = await at.plant.kit.call('owner', 'POST', '/DataCenter/ReportTemplate', {
    ...{ TemplateName: 'Too many', About: 'device', DeviceId: second, Period: 'day', Blocks: [] },
  })
  expect([refused.Details?.Fault, Object.keys(refused.Details?.Fields ?? {})]).toEqual(['reportTooManyPoints', ['DeviceId']])
  expect(await nextDay()).toEqual({ made: 1, failed: 1 })
  expect(await lastOf(byDevice)).toMatchObject({ Status: 3, Reason: 'reportTooManyPoints' })
  expect(await rows(sql`select "Status" from report_schedule where "Id" = ${byDevice}`)).toEqual([{ Status: 1 }])
  await rows(sql`delete from point where "ParaName" like 'Many %'`)
  expect(await nextDay()).toEqual({ made: 2, failed: 0 })
  await data('DELETE', `ReportSchedule?Ids=${[byTemplate, byDevice]}`)
})

test('a schedule about a project stops when its owner has lost the project', async () => {
  const { plant, data, template } = at
  await plant.kit.person('planner', plant.kit.enterprises.ours, { menus: permissions, projects: [project] })
  const draft = { ScheduleName: 'Of the project', ReportTemplateId: template, Format: 'csv', About: 'project', ProjectId: project }
  const { Id } = await data<{ Id: number }>('POST', 'ReportSchedule', draft, 'planner')
  expect(await nextDay()).toEqual({ made: 1, failed: 0 })
  await rows(sql`update role set "ProjectIds" = '{}' where "RoleName" = 'planner'`)
  await plant.kit.sessions.changed('all')
  expect(await nextDay()).toEqual({ made: 0, failed: 1 })
  expect(await rows(sql`select "Status", "Reason" from report_schedule where "Id" = ${Id}`)).toEqual([
    { Status: 0, Reason: 'reportPoints' },
  ])
  await data('DELETE', `ReportSchedule?Ids=${Id}`)
})

test('a template that is about something else no longer names what it was about; its versions do, and what it names is not removed', async () => {
  const { data } = at
  const draft = { TemplateName: 'Pumps of the plant', About: 'model', ProjectId: project, ModelId: model, PointSearch: 'pressure' }
  const { Id } = await data<{ Id: number }>('POST', 'ReportTemplate', { ...draft, Period: 'day', Blocks: [{ Type: 'io' }] })
  expect(await data('PUT', 'ReportTemplate', { Id, About: 'device', DeviceId: first })).toMatchObject({
    ...{ About: 'device', DeviceId: first, ProjectId: null, ModelId: null, PointSearch: 'pressure' },
  })
  const used = await at.plant.kit.call('owner', 'DELETE', `${device.path}?Ids=${first}`)
  expect(used.StatusCode).toBe(409)
  expect(used.Details?.UsedBy).toContainEqual({ Resource: 'reportTemplate', Id, Title: 'Pumps of the plant' })
  const [was] = await data<TemplateVersion[]>('GET', `ReportTemplate/Versions?Id=${Id}`)
  expect(was).toMatchObject({ About: 'model', GroupId: null, ProjectId: project, ModelId: model, DeviceId: null })
  await data('POST', 'ReportTemplate/Restore', { Id, Version: 1 })
  expect(await data('GET', `ReportTemplate?Id=${Id}`)).toMatchObject({ ...draft, DeviceId: null, ModelName: 'Pump' })
})

test('a report that is too long fails with that reason; its preview names the part', async () => {
  const { data, points } = at
  const Blocks = Array.from({ length: 5 }, () => ({ Type: 'timeTable', Unit: 'hour' }))
  const [group] = (await data<{ Items: { Id: number }[] }>('GET', 'ReportGroup/SettingList')).Items
  expect(await seen({ GroupId: group!.Id, Period: 'year', Blocks: Blocks.slice(0, 3) })).toBe(points.length)
  expect(await seen({ GroupId: group!.Id, Period: 'year', Blocks })).toEqual(['Blocks.3.Type'])
  const draft = { TemplateName: 'Every hour of the year', GroupId: group!.Id, Period: 'year', Blocks }
  const ReportTemplateId = (await data<{ Id: number }>('POST', 'ReportTemplate', draft)).Id
  const { Id } = await data<{ Id: number }>('POST', 'ReportSchedule', { ScheduleName: 'Long', ReportTemplateId, Format: 'csv' })
  expect(await nextDay()).toEqual({ made: 0, failed: 1 })
  expect(await lastOf(Id)).toMatchObject({ Status: 3, Reason: 'reportTooLong' })
})
