import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { draftRoutes } from './routes.ts'

type Article = { Id: number; Title: string; Status: number; Version: number; Solution: string | null; Helped: number }
type Offer = {
  Items: { Id: number; Title: string; Because: number; Helped: number; NotHelped: number; Voted: number | null; Files: unknown }[]
}
const base = '/Maintenance/MtnKnowledgeBase'

let kit: Kit
let of: { code: number; model: number; device: number }
beforeAll(async () => {
  kit = await startKit({ areas: () => [(api) => draftRoutes(api)] })
  await kit.person('writer', kit.enterprises.ours, { menus: permissions.filter((p) => !p.endsWith('.publish')) })
  const make = maker(kit)
  const model = (await make.create(named('proModel'))).Id
  of = { model, code: (await make.create(named('alarmCode'))).Id, device: (await make.create(named('device'), { ModelId: model })).Id }
})
afterAll(() => kit?.close())

const write = (Title: string, more: object = {}, as = 'writer') => kit.data<Article>(as, 'POST', base, { Title, ...more })
const publish = (Id: number, as = 'owner') => kit.call<Article>(as, 'POST', `${base}/Publish`, { Id })
const offer = async (query: string, as = 'owner') => (await kit.data<Offer>(as, 'GET', `${base}/Offer?${query}`)).Items
const titles = async (query: string) => (await offer(query)).map((a) => a.Title)

it('is a draft until somebody with the right publishes it, and keeps each state that was published', async () => {
  const { Id, Solution } = await write('Seal leaks', { Solution: '<p onclick="x()">Change it</p><script>alert(1)</script>' })
  expect(Solution).toBe('<p>Change it</p>')
  expect(await publish(Id, 'writer')).toMatchObject({ StatusCode: 403 })
  expect(await titles('Words=seal leaks')).toEqual([])
  expect(await publish(Id)).toMatchObject({ Data: { Status: 1, Version: 1 } })
  expect(await publish(Id)).toMatchObject({ StatusCode: 409 })
  expect(await kit.call('writer', 'PUT', base, { Id, Solution: 'mine' })).toMatchObject({ StatusCode: 409 })
  expect(await kit.call('owner', 'PUT', base, { Id, Solution: '<p>Change it, and flush</p>' })).toMatchObject({
    Data: { Version: 2, Status: 1 },
  })
  const { Items } = await kit.data<{ Items: { Version: number; Solution: string; UserName: string }[] }>(
    'owner',
    'GET',
    `${base}/Versions?Id=${Id}`,
  )
  expect(Items.map((v) => [v.Version, v.Solution, v.UserName])).toEqual([
    [2, '<p>Change it, and flush</p>', 'owner'],
    [1, '<p>Change it</p>', 'owner'],
  ])
  expect(await kit.data('viewer', 'GET', `${base}/KnowledgeBaseById/${Id}`)).toMatchObject({ Title: 'Seal leaks', Version: 2 })
  expect(await kit.call('owner', 'POST', `${base}/Withdraw`, { Id })).toMatchObject({ Data: { Status: 0 } })
  expect(await kit.call('stranger', 'GET', `${base}/KnowledgeBaseById/${Id}`)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('owner', 'DELETE', `${base}/${Id}`)).toMatchObject({ Data: { Removed: 1 } })
})

it('may be about equipment that is no device, and is offered there alone', async () => {
  const { ProjectId } = await kit.data<{ ProjectId: number }>('owner', 'POST', '/Maintenance/MtnEquipment/OfDevice', {
    DeviceId: of.device,
  })
  const roof = await kit.data<Article>('owner', 'POST', '/Maintenance/MtnEquipment', { EquipmentName: 'Roof', ProjectId })
  const [above, beside] = [await write('Gutter', { EquipmentId: roof.Id }), await write('Coupling', { DeviceId: of.device })]
  expect(above).toMatchObject({ EquipmentName: 'Roof', DeviceId: null })
  expect(beside).toMatchObject({ EquipmentId: expect.any(Number), DeviceId: of.device })
  for (const { Id } of [above, beside]) await publish(Id)
  expect(await titles(`EquipmentId=${roof.Id}`)).toEqual(['Gutter'])
  const { EquipmentId } = beside as unknown as { EquipmentId: number }
  expect(await titles(`EquipmentId=${EquipmentId}`)).toEqual(await titles(`DeviceId=${of.device}`))
  expect(await kit.call('stranger', 'GET', `${base}/Offer?EquipmentId=${roof.Id}`)).toMatchObject({ Succeeded: false })
  for (const { Id } of [above, beside]) await kit.data('owner', 'DELETE', base, { Id })
})

it('is offered by fault code, then model, then device, then words, and by whether it has helped', async () => {
  const made = {
    words: await write('Hot bearing of a pump'),
    device: await write('This very machine', { DeviceId: of.device }),
    model: await write('All of this model', { DeviceModelId: of.model }),
    code: await write('This fault', { FaultCodeId: of.code }),
    other: await write('Something else altogether'),
    better: await write('Hot bearing of a fan'),
  }
  for (const { Id } of Object.values(made)) await publish(Id)
  const [{ Id: alarm }] = (await kit.db.rows<{ Id: number }>(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "DeviceId", "ProjectId", "FaultCodeId", "StartTime")
    select g."EnterpriseId", '', 'Bearing hot', d."Id", g."ProjectId", ${of.code}, now() from device d join gateway g on g."Id" = d."GatewayId" where d."Id" = ${of.device}
    returning "Id"`)) as [{ Id: number }]
  const vote = (Id: number, Helped: number, as = 'owner') => kit.call(as, 'POST', `${base}/Vote`, { Id, Helped })
  expect(await vote(made.better.Id, 1)).toMatchObject({ Data: { Changed: 1 } })
  expect(await vote(made.better.Id, 1)).toMatchObject({ Data: { Changed: 0 } })
  for (const as of ['owner', 'writer']) await vote(made.words.Id, 0, as)
  expect(await vote(made.words.Id, 1, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await titles(`AlmInfoId=${alarm}`)).toEqual([
    'This fault',
    'All of this model',
    'This very machine',
    'Hot bearing of a fan',
    'Hot bearing of a pump',
  ])
  expect((await offer(`AlmInfoId=${alarm}`)).map((a) => a.Because)).toEqual([1, 2, 3, 4, 4])
  expect((await offer(`AlmInfoId=${alarm}`)).at(-1)).toMatchObject({ Helped: 0, NotHelped: 2, Voted: 0 })
  // Its files go along: a phone keeps their pictures.
  const file = { FilePath: `files/${kit.enterprises.ours}/${'a'.repeat(32)}.webp`, FileName: 'seal.webp' }
  await kit.db.rows(sql`update mtn_knowledge_base set "Files" = ${JSON.stringify([file])}::jsonb where "Id" = ${made.code.Id}`)
  expect((await offer(`AlmInfoId=${alarm}`)).map((a) => a.Files).slice(0, 2)).toEqual([[file], expect.toBeOneOf([null, []])])
  expect(await titles(`DeviceId=${of.device}`)).toEqual(['All of this model', 'This very machine'])
  expect(await kit.call('stranger', 'GET', `${base}/Offer?AlmInfoId=${alarm}`)).toMatchObject({ StatusCode: 404 })
})

it('is found by a part of a word, in Chinese and Japanese as well', async () => {
  await write('水泵轴承过热', { Keywords: '温度' })
  await write('ポンプの軸受が過熱', { Solution: '<p>グリースを補給する</p>' })
  await write('Überhitzung des Lagers, 100%')
  const found = async (Search: string) =>
    (await kit.data<{ Items: Article[] }>('owner', 'GET', `${base}/List?${new URLSearchParams({ Search })}`)).Items.map((a) => a.Title)
  expect(await found('轴承')).toEqual(['水泵轴承过热'])
  expect(await found('リース')).toEqual(['ポンプの軸受が過熱'])
  expect(await found('hitz')).toEqual(['Überhitzung des Lagers, 100%'])
  expect(await found('温')).toEqual(['水泵轴承过热'])
  expect(await found('100%')).toEqual(['Überhitzung des Lagers, 100%'])
  expect(await found('轴水')).toEqual([])
  for (const name of ['水泵轴承过热', 'ポンプの軸受が過熱']) {
    const { Items } = await kit.data<{ Items: Article[] }>('owner', 'GET', `${base}/List?Title=${encodeURIComponent(name)}`)
    await publish(Items[0]!.Id)
  }
  expect(await titles(`Words=${encodeURIComponent('轴承温度')}`)).toEqual(['水泵轴承过热'])
  expect(await titles(`Words=${encodeURIComponent('軸受の過熱')}`)).toEqual(['ポンプの軸受が過熱'])
})

it('is what a plan says to do, and stays while a plan is it', async () => {
  const { Id } = await write('How to restart')
  const plan = await kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmPlan', { PlanName: 'Restart', ArticleId: Id })
  expect(await kit.data('owner', 'GET', `/Alarm/AlarmPlan?Id=${plan.Id}`)).toMatchObject({ ArticleId: Id, ArticleTitle: 'How to restart' })
  expect(await kit.call('owner', 'DELETE', base, { Id })).toMatchObject({ Details: { Fault: 'inUse' } })
  expect(await kit.call('stranger', 'POST', '/Alarm/AlarmPlan', { PlanName: 'Theirs', ArticleId: Id })).toMatchObject({
    Details: { Fields: { ArticleId: expect.anything() } },
  })
})

it('is drafted from a completed order once, with its fault, reason, work and parts, by who sees the order', async () => {
  const ProjectId = (await maker(kit).create(named('project'))).Id
  const [order] = await kit.db.rows<{ Id: number }>(sql`
    insert into mtn_maintenance_order ("EnterpriseId", "Title", "ProjectId", "DeviceId", "FaultCodeId", "Status", "FaultDesc", "CauseType", "HandleDesc", "Solution")
    values (${kit.enterprises.ours}, 'Bearing hot', ${ProjectId}, ${of.device}, ${of.code}, 4, 'It hums <b>', 1, 'Changed it', 'Bearing 6205 <script>') returning "Id"`)
  await kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmType", "StartTime", "IsActive", "HandleStatus", "OrderId", "ProjectId")
    values (${kit.enterprises.ours}, 'A1', 'Bearing above 90', 1, now(), 0, 0, ${order!.Id}, ${ProjectId})`)
  await kit.person('unalarmed', kit.enterprises.ours, { menus: permissions.filter((p) => !p.startsWith('m10201')) })
  const { Id: part } = await maker(kit).create(named('mtnComponent'), { ComponentName: 'Bearing & seal' })
  const ask = (as = 'writer') => kit.call<{ Id: number }>(as, 'POST', `${base}/FromOrder`, { OrderId: order!.Id })
  expect(await ask()).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState' } })
  await kit.db.rows(sql`update mtn_maintenance_order set "Status" = 5 where "Id" = ${order!.Id}`)
  expect(await ask('stranger')).toMatchObject({ StatusCode: 404 })
  expect(await ask('viewer')).toMatchObject({ StatusCode: 403 })
  // Rule names need permission to read alarms.
  const phenomenonFor = async (as: string) => {
    const { Id } = (await ask(as)).Data
    return (await kit.data<{ Phenomenon: string }>(as, 'GET', `${base}?Id=${Id}`)).Phenomenon
  }
  expect(await phenomenonFor('unalarmed')).toBe('It hums <b>')
  await kit.db.rows(sql`delete from mtn_knowledge_base where "OrderId" = ${order!.Id}`)
  const both = await Promise.all([ask(), ask()])
  expect(new Set(both.map(({ Data }) => Data.Id)).size).toBe(1)
  const article = await kit.data<Record<string, unknown>>('writer', 'GET', `${base}?Id=${both[0]!.Data.Id}`)
  expect(article).toMatchObject({
    ...{ Title: 'Bearing hot', Status: 0, FaultCodeId: of.code, DeviceModelId: of.model, DeviceId: of.device, OrderId: order!.Id },
    ...{ Phenomenon: 'It hums <b>\nBearing above 90', Solution: '<p>Bearing 6205 &lt;script&gt;</p><p>Changed it</p>' },
  })
  expect(part).toBeGreaterThan(0)
})
