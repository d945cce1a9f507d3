// What works with the sight of its maker for others, such as a scheduled report or a link, is no way to what its editors do not see.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse } from '../house.ts'

let house: House
const id: Record<string, number> = {}
const token: Record<string, string> = {}
const call = <T = unknown>(as: string, method: string, path: string, body?: object) => house.call<T>(token[as], method, path, body)
const data = <T = { Id: number }>(as: string, method: string, path: string, body?: object) => house.data<T>(method, path, body, token[as])
const make = async (path: string, body: object, as = 'manager') => (await data(as, 'POST', path, body)).Id

/** A project with a device and a point. */
const plant = async (name: string) => {
  const ProjectId = await make('/Project/Project', { ProjectName: name })
  const GatewayId = await make('/Project/Gateway', { GatewayName: name, SN: `SIGHT${name.toUpperCase()}001`, ProjectId })
  const NetProtocolId = await make('/Project/Protocol/NetProtocol', { ProtocolName: 'Net', GatewayId, Ip: '127.0.0.1', Port: 502 })
  const DeviceId = await make('/Project/Device', { DeviceName: `${name} pump`, GatewayId, NetProtocolId })
  const point = await make('/Project/DevPara', { ParaName: 'Speed', DeviceId, Address: '0' })
  Object.assign(id, { [name]: ProjectId, [`${name}Device`]: DeviceId, [`${name}Point`]: point })
}

beforeAll(async () => {
  house = await startHouse()
  const db = house.database.system
  const hash = await hashPassword(password)
  const open = (enterprise: number) =>
    db.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "EnterpriseId" = ${enterprise}`)
  const enterprise = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'manager', ManagerName: 'Manager' })
  await open(enterprise.Id)
  token.manager = await house.login('manager')
  await plant('west')
  await plant('east')
  const RoleId = await make('/System/Role', { RoleName: 'East', RouteRole: 'admin' })
  await data('manager', 'POST', '/System/Role/SetProject', { RoleId, ProjectIds: [id.east] })
  await make('/System/User', { UserNO: 'eastern', UserName: 'Eastern', RoleIds: [RoleId] })
  await open(enterprise.Id)
  token.eastern = await house.login('eastern')
  token.manager = await house.login('manager')
})
afterAll(() => house?.close())

it('a schedule and its template send what their owner sees, so who sees less changes neither', async () => {
  await data('manager', 'PUT', '/System/ReportDelivery', { Domains: 'partner.example' })
  const group = (GroupName: string, point?: number) =>
    make('/DataCenter/ReportGroup', { GroupName, Points: point ? [{ ParaId: point }] : [] })
  const [west, east] = [await group('West', id.westPoint), await group('East', id.eastPoint)]
  const template = (TemplateName: string, GroupId: number, as = 'manager') =>
    make('/DataCenter/ReportTemplate', { TemplateName, GroupId, Blocks: [{ Type: 'keyFigures' }] }, as)
  const [daily, other] = [await template('Daily', east), await template('Other', west)]
  const schedule = (ScheduleName: string, as = 'manager') =>
    make('/DataCenter/ReportSchedule', { ScheduleName, ReportTemplateId: daily, Outside: ['office@partner.example'] }, as)
  const [Id, own] = [await schedule('Of the manager'), await schedule('Of his own', 'eastern')]
  const refused = { StatusCode: 403, Details: { Fault: 'moreRights' } }
  const change = (given: object, of = Id) => call('eastern', 'PUT', '/DataCenter/ReportSchedule', { Id: of, ...given })
  expect(await change({ Outside: ['eastern@partner.example'] })).toMatchObject(refused)
  expect(await change({ ReportTemplateId: other })).toMatchObject(refused)
  expect(await call('eastern', 'POST', '/DataCenter/ReportSchedule/Disable', { Id })).toMatchObject(refused)
  expect(await call('eastern', 'DELETE', '/DataCenter/ReportSchedule', { Ids: [Id] })).toMatchObject(refused)
  const ofTemplate = (given: object, of = daily) => call('eastern', 'PUT', '/DataCenter/ReportTemplate', { Id: of, ...given })
  expect(await ofTemplate({ GroupId: west })).toMatchObject(refused)
  expect(await change({ Outside: ['eastern@partner.example'] }, own)).toMatchObject({ Succeeded: true })
  const mine = await template('Mine', east, 'eastern')
  expect(await ofTemplate({ Heading: 'Of East' }, mine)).toMatchObject({ Succeeded: true })
  expect(await data('manager', 'PUT', '/DataCenter/ReportSchedule', { Id: own, Keep: 3 })).toMatchObject({ Keep: 3 })
})

it('a picture is published with points and devices that its publisher sees, also where parameters choose them', async () => {
  const path = '/Project/Ddt/Flowchart'
  const picture = async (FlowchartName: string, scene: object) => {
    const Id = await make(path, { FlowchartName, ProjectId: id.east }, 'eastern')
    await save(Id, scene)
    return Id
  }
  const save = (Id: number, scene: object, as = 'eastern') =>
    data(as, 'POST', `${path}/Save`, { Id, Scene: { v: 1, width: 800, height: 600, items: [], ...scene } })
  const publish = (Id: number, as = 'eastern') => call(as, 'POST', `${path}/Publish`, { Id, Note: 'A version' })
  const place = { x: 0, y: 0, w: 100, h: 40 }
  const value = { kind: 'value', id: 'v', ...place, of: '{P}', size: 20 }
  const ofPoint = (point: number) => ({ items: [value], parameters: [{ name: 'P', type: 'point', value: point }] })
  const ofDevice = (device: number) => ({
    items: [{ ...value, of: '{D.Speed}' }],
    parameters: [{ name: 'D', type: 'device', value: device }],
  })
  const own = await picture('Own', ofPoint(id.eastPoint!))
  expect(await publish(own)).toMatchObject({ Succeeded: true })
  const shared = await data<{ Token: string }>('manager', 'POST', '/Project/Ddt/Share', {
    ShareName: 'Hall',
    Kind: 1,
    FlowchartId: own,
    Hours: 24,
  })
  const inside = (parameters: object) => ({ items: [{ kind: 'view', id: 'i', ...place, picture: own, parameters }] })
  const alarms = { items: [{ kind: 'alarms', id: 'a', ...place, device: id.westDevice, size: 14 }] }
  const wrong = [ofPoint(id.westPoint!), ofDevice(id.westDevice!), inside({ P: id.westPoint! }), alarms]
  for (const scene of wrong) {
    const Id = await picture(`Wrong ${wrong.indexOf(scene)}`, scene)
    expect(await publish(Id), JSON.stringify(scene)).toMatchObject({ StatusCode: 400, Details: { Fields: expect.anything() } })
    expect(await publish(Id, 'manager')).toMatchObject({ Succeeded: true })
  }
  await save(own, ofPoint(id.westPoint!))
  await publish(own)
  const { Visit } = await data<{ Visit: string }>('', 'POST', '/Share/Open', { Token: shared.Token })
  const seen = await data<{ Picture: { Named: object } }>('', 'POST', '/Share/Show', { Visit })
  expect(seen.Picture.Named).toEqual({ '{P}': id.eastPoint })
  expect(await call('eastern', 'POST', path, { FlowchartName: 'Right', ProjectId: id.east })).toMatchObject({ Succeeded: true })
  const right = [ofDevice(id.eastDevice!), inside({ P: id.eastPoint! }), { ...ofPoint(1), parameters: [{ name: 'P', type: 'point' }] }]
  for (const scene of right) expect(await publish(await picture(`Right ${right.indexOf(scene)}`, scene))).toMatchObject({ Succeeded: true })
})
