// Rows of a whole tenant, changed by an administrator of one organisation: settings, templates and catalogues that both use.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../server/identity/passwords.ts'
import { password } from './house.ts'
import { startTwoOrganisations } from './two-organisations.ts'

let world: Awaited<ReturnType<typeof startTwoOrganisations>>
beforeAll(async () => {
  world = await startTwoOrganisations()
})
afterAll(() => world?.house.close())

const make = async (path: string, body: object, token = world.manager) => (await world.house.data('POST', path, body, token)).Id
const fault = async (method: string, path: string, body: object, token = world.admin) => {
  const { Succeeded, StatusCode, Details } = await world.house.call(token, method, path, body)
  return Succeeded ? undefined : (Details?.Fault ?? StatusCode)
}
const changes = async (path: string, Id: number, field = 'Remark') => [
  await fault('PUT', path, { Id, [field]: 'changed' }),
  await fault('DELETE', path, { Id }),
]
const refused = ['moreRights', 'moreRights']

it('who sees some projects sets the alarms of their gateways only', async () => {
  const { east, west, ofBoth } = world
  const path = '/Alarm/AlarmSetting'
  const templates = '/Alarm/AlmGatewayTemplate'
  // Of the whole tenant, and of another project.
  expect(await changes(path, east.alarmSetting!)).toEqual(refused)
  expect(await changes(path, west.alarmSetting!)).toEqual(['notFound', 'notFound'])
  const own = await make(templates, { TemplateName: 'Of East' }, world.admin)
  const setting = (more: object) => ({ SettingName: 'Own', AlmGatewayTemplateId: own, ...more })
  expect(await fault('POST', path, setting({}))).toBe('moreRights')
  for (const more of [{ ProjectId: west.project }, { GatewayId: west.gateway }, { ProjectId: east.project, GatewayId: west.gateway }])
    expect(await fault('POST', path, setting(more)), JSON.stringify(more)).toBe('invalid')
  const Id = await make(path, setting({ ProjectId: east.project }), world.admin)
  expect(await fault('PUT', path, { Id, ProjectId: null })).toBe('moreRights')
  expect(await fault('PUT', path, { Id, ProjectId: west.project })).toBe('invalid')
  expect(await fault('PUT', path, { Id, GatewayId: east.gateway, ProjectId: null })).toBe(undefined)

  // A template decides for all who use it.
  for (const template of [east.almGatewayTemplate!, ofBoth]) expect(await changes(templates, template)).toEqual(refused)
  expect(await fault('PUT', templates, { Id: own, OfflineDelay: 60 })).toBe(undefined)
  expect(await fault('DELETE', path, { Id })).toBe(undefined)
  expect(await fault('DELETE', templates, { Id: own })).toBe(undefined)
})

it('nobody changes a model, plan, code, roster or template on which something out of his sight depends', async () => {
  const { east, west, manager, admin } = world
  const model = await make('/ProModel/ProModel', { ModelName: 'Pump' })
  const DeviceId = await make('/Project/Device', { DeviceName: `${world.secret} pump`, GatewayId: west.gateway, ModelId: model })
  const point = { DeviceId, ParaName: `${world.secret} pump point`, Address: '0', ReadWriteType: 1 }
  const ParaId = await make('/Project/DevPara', point)
  const plan = await make('/Alarm/AlarmPlan', { PlanName: 'Stop the pump' })
  const code = await make('/Alarm/Alarmcode', { Code: 'P1', Name: 'Pump', ModelId: model, AlmPlanId: plan })
  const Shifts = (Users: (number | undefined)[]) => ({ TimeZone: 'UTC', Shifts: [{ Start: '06:00', End: '14:00', Users }] })
  const roster = await make('/Alarm/AlarmRoster', { RosterName: 'Day', ...Shifts([east.user]) })
  const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 8, AlarmParams: [{ ParaId }] }
  await make('/Alarm/AlarmRule', {
    RuleName: `${world.secret} pump rule`,
    RuleConfigure: { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [above] }] },
    AlmPlanId: plan,
    AlarmPush: { PushUsers: [], PushRosters: [roster], PushMethods: [{ Method: 1 }] },
  })
  const AlarmPush = { PushUsers: [west.user], PushMethods: [{ Method: 1 }] }
  const orders = await make('/Maintenance/MtnAlmTemplate', { TemplateName: 'Orders', AlarmPush })
  const western = await make('/Alarm/AlarmRoster', { RosterName: 'West', ...Shifts([west.user]) })
  expect(await changes('/Alarm/AlarmPlan', plan, 'PlanName')).toEqual(refused)
  for (const [path, id] of [
    ['/Alarm/AlarmRoster', roster],
    ['/Alarm/AlarmRoster', western],
    ['/Maintenance/MtnAlmTemplate', orders],
    ['/ProModel/ProModel', model],
  ] as const)
    expect(await changes(path, id), path).toEqual(refused)
  // A sheet does no more.
  const body = new FormData()
  body.set('file', new File(['Model,Brand\r\nPump,of East\r\n'], 'models.csv'))
  const headers = { authorization: `Bearer ${admin}`, 'accept-language': 'en' }
  const sheet = await fetch(`${world.house.origin}/api/ProModel/ProModel/Import`, { method: 'POST', headers, body })
  expect(await sheet.text()).toContain('moreRights')

  // What only East uses is his to change, and all of it is the manager's.
  const ofEast = await make('/ProModel/ProModel', { ModelName: 'East pump' }, admin)
  await make('/Project/Device', { DeviceName: 'East pump', GatewayId: east.gateway, ModelId: ofEast }, admin)
  expect(await fault('PUT', '/ProModel/ProModel', { Id: ofEast, Remark: 'changed' })).toBe(undefined)
  expect(await fault('PUT', '/ProModel/ProModel', { Id: model, Remark: 'changed' }, manager)).toBe(undefined)
  const own = await make('/Alarm/AlarmRoster', { RosterName: 'East', ...Shifts([east.user]) }, admin)
  expect(await changes('/Alarm/AlarmRoster', own)).toEqual([undefined, undefined])
  expect(await fault('DELETE', '/Alarm/Alarmcode', { Id: code })).toBe(undefined)
})

it('nobody changes the points of a model that something out of his sight uses, through any call', async () => {
  const { west, admin, manager } = world
  const model = await make('/ProModel/ProModel', { ModelName: 'Shared pump' })
  const [points, other] = ['/ProModel/ModelPara', await make('/ProModel/ProModel', { ModelName: 'Of East alone' }, admin)]
  const Id = await make(points, { ModelId: model, ParaName: 'Flow', Address: '0' })
  const mine = await make(points, { ModelId: other, ParaName: 'Level', Address: '2' }, admin)
  await make('/Project/Device', { DeviceName: 'Pump of West', GatewayId: west.gateway, ModelId: model })
  expect(await fault('POST', points, { ModelId: model, ParaName: 'Pressure', Address: '4' })).toBe('moreRights')
  expect(await fault('PUT', points, { Id, Address: '9' })).toBe('moreRights')
  expect(await fault('DELETE', points, { Id })).toBe('moreRights')
  expect(await fault('POST', `${points}/Copy`, { Ids: [mine], ModelId: model })).toBe('moreRights')
  expect(await fault('POST', '/ProModel/ProModel/Publish', { Id: model })).toBe('moreRights')
  const body = new FormData()
  body.set('file', new File(['Point name,Address\r\nPressure,4\r\n'], 'points.csv'))
  const headers = { authorization: `Bearer ${admin}`, 'accept-language': 'en' }
  const sheet = await fetch(`${world.house.origin}/api${points}/Import?ModelId=${model}`, { method: 'POST', headers, body })
  expect(await sheet.text()).toContain('moreRights')

  expect(await fault('PUT', points, { Id: mine, Address: '6' })).toBe(undefined)
  expect(await fault('POST', '/ProModel/ProModel/Publish', { Id: other })).toBe(undefined)
  expect(await fault('PUT', points, { Id, Address: '9' }, manager)).toBe(undefined)
  expect(await fault('POST', '/ProModel/ProModel/Publish', { Id: model }, manager)).toBe(undefined)
})

it('regions, dictionaries, agents and trial accounts are the whole tenant’s', async () => {
  const { east, manager } = world
  for (const [path, id] of [
    ['/System/Region', east.region],
    ['/System/DataDict', east.dataDict],
    ['/V3/System/CrossRegionSale/Agent', east.agent],
  ] as const)
    expect(await changes(path, id!), path).toEqual(refused)
  for (const verb of ['Grant', 'Refuse'])
    expect(await fault('POST', `/System/TrialUserLog/${verb}`, { Id: east.trialUser }), verb).toBe('moreRights')
  expect(await fault('PUT', '/System/Region', { Id: east.region, Remark: 'changed' }, manager)).toBe(undefined)
})

it('an announcement is changed and removed by who wrote it, or sees all whom it addresses', async () => {
  const { east, west, admin } = world
  const path = '/System/Notice'
  const announce = (more: object, token = world.manager) => make(path, { PushTitle: 'Shutdown', ...more }, token)
  const changed = async (Id: number) => [await fault('PUT', path, { Id, PushTitle: 'changed' }), await fault('DELETE', path, { Id })]
  for (const more of [{}, { UserIds: [west.user] }, { OrganIds: [east.organ, west.organ] }])
    expect(await changed(await announce(more)), JSON.stringify(more)).toEqual(refused)
  expect(await changed(await announce({ UserIds: [east.user] }))).toEqual([undefined, undefined])
  expect(await changed(await announce({}, admin))).toEqual([undefined, undefined])
})

it('messages about alarms out of sight are neither shown nor sent again', async () => {
  const { house, manager, east, west } = world
  // All people of the tenant, and only West's project.
  const RoleId = await make('/System/Role', { RoleName: 'Messages of West' })
  await house.data('POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: ['m10431', 'm10431.test'] }, manager)
  await house.data('POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: [west.project] }, manager)
  await make('/System/User', { UserNO: 'messenger', UserName: 'Messenger', RoleIds: [RoleId] })
  const db = house.database.system
  await db.rows(sql`update "user" set "MustChangePwd" = 0, "PasswordHash" = ${await hashPassword(password)} where "UserNO" = 'messenger'`)
  const token = await house.login('messenger')
  const [record] = await db.rows<{ Id: number }>(sql`
    update alm_push_record set "SendStatus" = 3, "Address" = 'x' where "AlmInfoId" = ${east.alarmInfo} and "UserId" = ${east.user} returning "Id"`)
  const list = await house.data<{ Items: { AlmInfoId: number | null }[] }>('GET', '/Alarm/AlmPushRecord/List', undefined, token)
  expect(list.Items.filter((m) => m.AlmInfoId)).toEqual([])
  expect(await fault('POST', '/Alarm/AlmPushRecord/ReSend', { Id: record!.Id }, token)).toBe('notFound')
})

it('versions of a picture and of a dashboard do not name people out of sight', async () => {
  const { house, admin, east, manager } = world
  type History = { Items: { UserName: string | null }[] }
  const history = (token: string) => house.data<History>('GET', `/Project/Ddt/Flowchart/HistoryList?Id=${east.flowchart}`, undefined, token)
  expect([(await history(manager)).Items[0]?.UserName, (await history(admin)).Items[0]?.UserName]).toEqual(['Manager', null])
  const board = '/blade-visual/visual'
  const Content = { Version: 1, Range: '1h', Variables: [], Widgets: [] }
  await house.data('PUT', board, { Id: east.visualBoard, Content }, manager)
  const { Items } = await house.data<History>('GET', `${board}/HistoryList?Id=${east.visualBoard}`, undefined, admin)
  expect(Items.map(({ UserName }) => UserName)).toEqual([null, null])
})
