import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { type Area, type Entry, type Item, startArea } from './harness.ts'

let area: Area
let kit: Kit
beforeAll(async () => {
  area = await startArea()
  kit = area.kit
})
afterAll(() => area?.close())

const list: Area['list'] = (...given) => area.list(...given)
const project: Area['project'] = (...given) => area.project(...given)

describe('the operation log', () => {
  it('says who did what, to which thing, from where, before and after', async () => {
    const { Id } = await project('North')
    await kit.data('owner', 'PUT', '/Project/Project', { Id, ProjectName: 'South', Remark: 'moved' })
    await kit.data('owner', 'DELETE', '/Project/Project', { Id })
    const entries = await list('owner', `?Resource=project&RecordId=${Id}`)
    expect(entries).toMatchObject([
      { Verb: 'remove', ObjectName: 'South', UserNO: 'owner', Ip: '127.0.0.1', Kind: 1 },
      { Verb: 'update', ObjectName: 'South' },
      { Verb: 'create', ObjectName: 'North' },
    ])
    const items = await kit.data<Item[]>('owner', 'GET', `/System/Log/LogItemList?Id=${entries[1]!.Id}`)
    expect(items).toEqual([
      { Field: 'ProjectName', FieldName: 'Project name', Before: 'North', After: 'South' },
      { Field: 'Remark', FieldName: 'Remark', Before: null, After: 'moved' },
    ])
  })

  it('shows costs to those who see costs', async () => {
    const make = (path: string, body: object) => kit.data<{ Id: number }>('owner', 'POST', `/Maintenance/${path}`, body)
    const { Id: PlaceId } = await make('MtnPlace', { PlaceName: 'Store' })
    const { Id } = await make('MtnComponent', { ComponentName: 'Seal', ComponentNo: 'S1' })
    await make('MtnComponent/TakeIn', { Id, PlaceId, Qty: 2, Price: 7 })
    await kit.person('auditor', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10607.cost') })
    const [entry] = await list('owner', '?Resource=mtnComponentRecord')
    const fields = async (as: string) =>
      (await kit.data<Item[]>(as, 'GET', `/System/Log/LogItemList?Id=${entry!.Id}`)).map(({ Field }) => Field)
    expect(await fields('owner')).toContain('Price')
    expect(await fields('auditor')).toContain('Qty')
    expect(await fields('auditor')).not.toContain('Price')
  })

  it('is searched and filtered by text, verb, account, kind and day, and paged', async () => {
    await project('Needle in it')
    expect(await list('owner', '?Search=needle')).toMatchObject([{ ObjectName: 'Needle in it' }])
    const verbs = async (query: string) => new Set((await list('owner', query)).map((e) => e.Verb))
    expect(await verbs('?Verb=create')).toEqual(new Set(['create']))
    expect((await list('owner', '?UserNO=own')).length).toBeGreaterThan(2)
    const [first] = await list('owner', '?PageSize=1')
    const day = first!.Time.slice(0, 10)
    const of = (LogicOP: number, Value: string) =>
      `?QueryInfo=${encodeURIComponent(JSON.stringify({ QueryConditions: [{ Field: 'Time', Value, LogicOP }] }))}`
    expect((await list('owner', of(6, day))).length).toBeGreaterThan(2)
    expect(await list('owner', of(7, '2020-01-01'))).toEqual([])
    expect(await kit.call('owner', 'GET', '/System/Log/List?Nonsense=1')).toMatchObject({ StatusCode: 400 })
  })

  it('is each tenant’s own; the platform sees all', async () => {
    await project('Theirs alone', 'stranger')
    expect(await list('owner', '?Search=theirs alone')).toEqual([])
    const [entry] = await list('platform', '?Search=theirs alone')
    expect(entry).toMatchObject({ EnterpriseId: kit.enterprises.theirs })
    expect(await kit.call('owner', 'GET', `/System/Log/LogItemList?Id=${entry!.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await kit.call('nobody', 'GET', '/System/Log/List')).toMatchObject({ StatusCode: 403 })
    expect(await kit.call('viewer', 'POST', '/System/Log/Verify', {})).toMatchObject({ StatusCode: 403 })
  })

  it('leaves as csv and xlsx, which is noted', async () => {
    const csv = await kit.request('owner', 'GET', '/System/Log/Output?Format=csv&Fields=Verb,ObjectName&Resource=project&Search=needle')
    expect(csv.body.replace('\uFEFF', '')).toBe('Action,Name\r\nAdded,Needle in it\r\n')
    const xlsx = await kit.request('owner', 'GET', '/System/Log/Output?Fields=Verb,ObjectName&Search=needle')
    expect(await readSheet(xlsx.rawPayload)).toEqual([
      ['Action', 'Name'],
      ['Added', 'Needle in it'],
    ])
    expect(await list('owner', '?Verb=export')).toHaveLength(2)
    expect((await kit.request('stranger', 'GET', '/System/Log/Output?Format=csv&Search=needle')).body.trimEnd().split('\r\n')).toHaveLength(
      1,
    )
    expect((await kit.request('viewer', 'GET', '/System/Log/Output?Format=csv')).json()).toMatchObject({ StatusCode: 403 })
  })
})

describe('sign-ins', () => {
  const sign = (UserNO: string, Pwd: string) =>
    kit.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd }, { 'user-agent': 'Browser 7' })
  it('are noted, failed ones with their reason, and never a password', async () => {
    const { Data } = await sign('viewer', kit.password)
    await kit.data(Data.Token, 'POST', '/Auth/Logout')
    await sign('viewer', 'a wrong password typed')
    await sign('passwordInTheWrongField', 'x')
    const entries = await list('owner', '?Kind=2&UserNO=viewer')
    expect(entries.map((e) => [e.Verb, e.UserNO])).toEqual([
      ['loginFailed', 'viewer'],
      ['logout', 'viewer'],
      ['login', 'viewer'],
    ])
    expect(entries[0]).toMatchObject({ Agent: 'Browser 7', Ip: '127.0.0.1', Resource: 'session' })
    const items = await kit.data<Item[]>('owner', 'GET', `/System/Log/LogItemList?Id=${entries[0]!.Id}`)
    expect(items).toContainEqual({ Field: 'Reason', FieldName: 'Reason', Before: null, After: 'Wrong password' })
    const [all] = await kit.db.rows<{ text: string }>(sql`select string_agg(change::text, ' ') as text from change`)
    expect(all!.text).not.toMatch(/typed|passwordInTheWrongField/)
  })

  it('has each refused call of a person once an hour, with the right that is missing', async () => {
    const refused = () => list('owner', '?Verb=refused')
    for (let n = 0; n < 3; n++)
      expect(await kit.call('viewer', 'POST', '/Project/Project', { ProjectName: 'No' })).toMatchObject({ StatusCode: 403 })
    const entries = (await refused()).filter((e) => e.ObjectName === 'POST /api/Project/Project')
    expect(entries).toMatchObject([{ UserNO: 'viewer', ObjectName: 'POST /api/Project/Project', Resource: 'call', Ip: '127.0.0.1' }])
    const items = await kit.data<Item[]>('owner', 'GET', `/System/Log/LogItemList?Id=${entries[0]!.Id}`)
    expect(items).toContainEqual({ Field: 'Permission', FieldName: 'Missing permission', Before: null, After: 'm10101.add' })
    expect(await list('stranger', '?Verb=refused')).toEqual([])
  })

  it('calls an alarm of a gateway as its reader does, and finds it so', async () => {
    const [alarm] = await kit.db.rows<{ Id: number }>(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmType", "GatewayFault", "StartTime", "IsActive", "HandleStatus")
      values (${kit.enterprises.ours}, '', 'Far pump: offline', 2, 1, now(), 1, 0) returning "Id"`)
    await kit.data('owner', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [alarm!.Id] })
    const read = async (query: string, language: string) =>
      (await kit.request('owner', 'GET', `/System/Log/List?Resource=alarmInfo&${query}`, undefined, { 'accept-language': language }))
        .json<Wrapper<Page<Entry>>>()
        .Data!.Items.map((e) => e.ObjectName)
    expect(await read('', 'zh')).toEqual(['Far pump：离线'])
    expect(await read('Search=desconex', 'en')).toEqual([])
    expect(await read('Search=%E7%A6%BB', 'zh')).toEqual(['Far pump：离线'])
    expect(await read('Search=offline', 'en')).toEqual(['Far pump: Offline'])
    const csv = await kit.request('owner', 'GET', '/System/Log/Output?Format=csv&Fields=ObjectName&Resource=alarmInfo', undefined, {
      'accept-language': 'es',
    })
    expect(csv.body.trimEnd().split('\r\n')[1]).toBe('Far pump: Sin conexión')
    // A removed row is reported with all its fields.
    const removed = { Id: alarm!.Id, RuleName: 'Far pump: offline', GatewayFault: 1 }
    const [entry] = await kit.db.rows<{ Id: number }>(sql`
      insert into change ("EnterpriseId", "Resource", "RecordId", "Verb", "Before")
      values (${kit.enterprises.ours}, 'alarmInfo', ${alarm!.Id}, 'remove', ${JSON.stringify(removed)}::jsonb) returning "Id"`)
    const items = await kit.request('owner', 'GET', `/System/Log/LogItemList?Id=${entry!.Id}`, undefined, { 'accept-language': 'ja' })
    expect(items.json<Wrapper<Item[]>>().Data).toContainEqual(
      expect.objectContaining({ Field: 'RuleName', Before: 'Far pump：オフライン' }),
    )
  })
})
